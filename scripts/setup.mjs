// What a fresh machine needs before anything else runs: npm packages, and a few system programs.
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const say = (line) => process.stderr.write(`${line}\n`)

/** The npm that started us, else the one on PATH. */
const npm = process.env.npm_execpath?.endsWith(".js") ? [process.execPath, process.env.npm_execpath] : ["npm"]

const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], ...options })
  if (error) throw error
  return status ?? 1
}

/** Installs the packages of the lock when there are none, or older ones than the lock asks for. */
export const ensurePackages = () => {
  const installed = join(root, "node_modules/.package-lock.json")
  const lock = join(root, "package-lock.json")
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  say("Installing packages (npm ci) …")
  if (run(npm[0], [...npm.slice(1), "ci", "--no-audit", "--no-fund"]) !== 0) {
    say("npm ci failed; its own words stand above.")
    process.exit(1)
  }
}

const onPath = (program) => (process.env.PATH ?? "").split(":").some((dir) => dir && existsSync(join(dir, program)))

const isDebian = () => {
  if (!existsSync("/etc/os-release")) return false
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync("/etc/os-release", "utf8"))
}

/** Program → the Debian packages that bring it. */
export const SYSTEM = {
  ffmpeg: ["ffmpeg"],
  pocketsphinx_continuous: ["pocketsphinx", "pocketsphinx-en-us"],
  chromium: ["chromium"],
  flite: ["flite"],
  "rabbitmq-server": ["rabbitmq-server"],
  // The server's own programs are not on PATH; this one comes with them.
  pg_ctlcluster: ["postgresql"],
  // An object storage with an S3 interface, for tests.
  "swift-proxy-server": ["swift-proxy", "swift-account", "swift-container", "swift-object"],
}

/**
 * Brings system programs: installs them only as root on Debian or Ubuntu, saying so; else prints the line to type.
 * @returns the programs that are still missing
 */
export const ensureSystem = (programs) => {
  const missing = () => programs.filter((p) => !onPath(p))
  const before = missing()
  if (before.length === 0) return []
  const packages = [...new Set(before.flatMap((p) => SYSTEM[p]))]
  const line = `apt-get install -y --no-install-recommends ${packages.join(" ")}`
  if (process.getuid?.() !== 0 || !isDebian()) {
    say(`Missing: ${before.join(", ")}. On Debian or Ubuntu type:  sudo ${line}`)
    return before
  }
  say(`Missing: ${before.join(", ")}. Installing as root:  ${line}`)
  // With RUNLEVEL=1 a package that brings a service (rabbitmq-server, postgresql) does not start it: tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }
  run("apt-get", ["update", "-qq"], { env })
  run("apt-get", line.split(" ").slice(1).toSpliced(1, 0, "-qq"), { env })
  return missing()
}

/** The commit of this tree, or the newest time of any source file where git is not there. */
export const sourceStamp = () => {
  try {
    const git = (...args) =>
      execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    const head = git("rev-parse", "HEAD").trim()
    const changed = git(
      "status",
      "--porcelain",
      "-uall",
      "--",
      "app",
      "components",
      "lib",
      "worker",
      "cli",
      "public",
      "package-lock.json",
      "next.config.ts",
      "postcss.config.mjs",
    )
      .split("\n")
      .filter(Boolean)
      .map((l) =>
        l
          .slice(3)
          .replace(/^.* -> /, "")
          .replace(/^"|"$/g, ""),
      )
    const times = changed.map((f) =>
      existsSync(join(root, f)) ? `${f}@${statSync(join(root, f)).mtimeMs}` : `${f}@gone`,
    )
    return [head, ...times].join("\n")
  } catch {
    return null
  }
}
