import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { AppError } from "../../../domain/errors.ts"
import type { Provider } from "./protocol.ts"

/** Returns the folder of sherpa's native package for this platform, or null if it is not installed. */
export const findNativePackage = (from: string = import.meta.url): string | null => {
  const require = createRequire(from)
  const platform = process.platform === "win32" ? "win" : process.platform
  try {
    const main = dirname(require.resolve("sherpa-onnx-node/package.json"))
    return dirname(
      createRequire(join(main, "package.json")).resolve(`sherpa-onnx-${platform}-${process.arch}/package.json`),
    )
  } catch {
    return null
  }
}

/**
 * Returns true if sherpa's GPU libraries are installed and a GPU is present. npm does not provide these libraries; users
 * copy them into the folder of the native package.
 */
const hasCuda = (folder: string, card: string): boolean =>
  existsSync(join(folder, "libonnxruntime_providers_cuda.so")) && existsSync(card)

/**
 * Returns the device that sherpa uses. `auto` uses the GPU if its libraries are installed and a GPU is present.
 * @param card the device file of NVIDIA's driver
 * @throws AppError `capability_missing` if `cuda` is required and unavailable
 */
export const chooseProvider = (
  device: "auto" | "cpu" | "cuda",
  folder: string | null = findNativePackage(),
  card = "/dev/nvidiactl",
): Provider => {
  if (device === "cpu" || folder === null) return "cpu"
  if (hasCuda(folder, card)) return "cuda"
  if (device === "auto") return "cpu"
  throw new AppError(
    "capability_missing",
    `SERVICE_SPEECH_DEVICE=cuda needs an NVIDIA GPU and sherpa-onnx's GPU libraries in ${folder}; see docs/speech.md, "Use a GPU". Or set SERVICE_SPEECH_URL to a server with a GPU.`,
  )
}
