import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { AppError } from "../../../domain/errors.ts"
import type { Provider } from "./protocol.ts"

/** The folder of the native package for this system; null: not installed. */
export const nativeFolder = (from: string = import.meta.url): string | null => {
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

/** sherpa's GPU libraries, which npm does not bring: people put them into the native package's folder. */
const hasCuda = (folder: string, card: string): boolean =>
  existsSync(join(folder, "libonnxruntime_providers_cuda.so")) && existsSync(card)

/**
 * Where sherpa computes. `auto` takes the GPU only where its libraries lie beside the package and a GPU is there.
 * @param card the device file by which NVIDIA's driver is known
 * @throws AppError when `cuda` is asked for and cannot be
 */
export const providerFor = (
  device: "auto" | "cpu" | "cuda",
  folder: string | null = nativeFolder(),
  card = "/dev/nvidiactl",
): Provider => {
  if (device === "cpu" || folder === null) return "cpu"
  if (hasCuda(folder, card)) return "cuda"
  if (device === "auto") return "cpu"
  throw new AppError(
    "capability_missing",
    `SERVICE_SPEECH_DEVICE=cuda needs an NVIDIA GPU and sherpa-onnx's GPU libraries in ${folder}: docs/speech.md says how they get there, or point SERVICE_SPEECH_URL at a server that has a GPU`,
  )
}
