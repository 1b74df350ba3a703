// Installs npm packages and system programs on a new machine.
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const say = (line) => process.stderr.write(`${line}\n`)

/** The npm that runs this script, else the one on PATH. */
const npm = process.env.npm_execpath?.endsWith(".js") ? [process.execPath, process.env.npm_execpath] : ["npm"]

const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], ...options })
  if (error) throw error
  return status ?? 1
}

/** onnxruntime-node would download CUDA libraries, which Earmark does not use. */
const NPM_ENV = { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" }

const runNpm = (...args) => {
  if (run(npm[0], [...npm.slice(1), ...args, "--no-audit", "--no-fund"], { env: NPM_ENV }) === 0) return
  say(`npm ${args[0]} failed. See its output above.`)
  process.exit(1)
}

/** Returns true if there is no node_modules folder or package-lock.json is newer. */
const arePackagesStale = () => {
  const installed = join(root, "node_modules/.package-lock.json")
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(root, "package-lock.json")).mtimeMs
}

/** Contains the ID of the process that runs the install scripts of packages, until they have ended. */
const pendingFile = join(root, "node_modules/.install-scripts-pending")

const areScriptsInterrupted = () => {
  if (!existsSync(pendingFile)) return false
  try {
    process.kill(Number(readFileSync(pendingFile, "utf8")), 0)
    return false
  } catch {
    return true
  }
}

/** Installs packages if they are missing or out of date. */
export const ensurePackages = () => {
  if (arePackagesStale()) {
    say("Installing packages (npm ci) …")
    runNpm("ci")
  } else if (areScriptsInterrupted()) {
    runNpm("rebuild")
    rmSync(pendingFile)
  }
}

/** Compiling better-sqlite3 takes a third of the time this way, more than faster queries save the tests. */
const CI_COMPILER_FLAGS = { CFLAGS: "-O1", CXXFLAGS: "-O1" }

/**
 * Like `ensurePackages`, but runs install scripts in the background, because one compiles a native module.
 * @returns a promise that resolves when native modules can be loaded
 */
export const ensurePackagesAhead = async () => {
  if (!arePackagesStale()) return ensurePackages()
  say("Installing packages (npm ci) …")
  runNpm("ci", "--ignore-scripts")
  writeFileSync(pendingFile, `${process.pid}`)
  // Other programs use the links in node_modules/.bin meanwhile.
  const args = [...npm.slice(1), "rebuild", "--no-bin-links"]
  const env = { ...NPM_ENV, ...(process.env.CI === "true" && CI_COMPILER_FLAGS) }
  const child = spawn(npm[0], args, { cwd: root, stdio: ["ignore", 2, 2], env })
  const [status] = await once(child, "close")
  if (status !== 0) {
    say("npm rebuild failed. See its output above.")
    process.exit(1)
  }
  rmSync(pendingFile)
}

/** Debian's servers are in /usr/sbin, which is on the PATH of root only. */
const onPath = (program) =>
  `${process.env.PATH ?? ""}:/usr/sbin`.split(":").some((dir) => dir && existsSync(join(dir, program)))

const isDebian = () => {
  if (!existsSync("/etc/os-release")) return false
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync("/etc/os-release", "utf8"))
}

/** The Debian packages that contain each program or Python module. */
export const SYSTEM = {
  ffmpeg: ["ffmpeg"],
  pocketsphinx_continuous: ["pocketsphinx", "pocketsphinx-en-us"],
  "chromium-headless-shell": ["chromium-headless-shell"],
  flite: ["flite"],
  "rabbitmq-server": ["rabbitmq-server"],
  // The programs of the server are not on PATH. The same package installs this one.
  pg_ctlcluster: ["postgresql"],
  // Object storage with an S3 interface, for the tests.
  "swift-proxy-server": ["swift-proxy", "swift-account", "swift-container", "swift-object"],
  nginx: ["nginx"],
  caddy: ["caddy"],
  // The guides use these.
  curl: ["curl"],
  python3: ["python3"],
  "python3-requests": ["python3-requests"],
}

/** The modules of Python by their names in SYSTEM. */
const PYTHON_MODULES = { "python3-requests": "requests" }

const isInstalled = (name) =>
  name in PYTHON_MODULES ? spawnSync("python3", ["-c", `import ${PYTHON_MODULES[name]}`]).status === 0 : onPath(name)

/** The programs that tests can use instead of one that cannot be installed. */
const ALTERNATIVES = { "chromium-headless-shell": ["chromium"] }

/**
 * Installs missing system programs and modules as root on Debian or Ubuntu. Elsewhere it prints the command to run.
 * @returns the programs that are still missing
 */
export const ensureSystem = async (programs) => {
  const absent = programs.filter((p) => !isInstalled(p))
  const missing = () => absent.filter((p) => ![p, ...(ALTERNATIVES[p] ?? [])].some(isInstalled))
  if (absent.length === 0) return []
  const packages = [...new Set(absent.flatMap((p) => SYSTEM[p]))]
  const install = `apt-get install -y --no-install-recommends ${packages.join(" ")}`
  if (process.getuid?.() !== 0 || !isDebian()) {
    if (missing().length > 0) say(`Missing: ${absent.join(", ")}. On Debian or Ubuntu run:  sudo ${install}`)
    return missing()
  }
  say(`Missing: ${absent.join(", ")}. Installing them as root:  ${install}`)
  // RUNLEVEL=1 keeps packages such as rabbitmq-server from starting their service. Tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }
  const quietly = install.replace("install", "install -qq")
  // One shell runs both commands, so that they continue while this process waits for npm.
  const child = spawn("sh", ["-c", `apt-get update -qq; ${quietly}`], { stdio: ["ignore", "ignore", 2], env })
  await once(child, "close")
  return missing()
}

/** Returns the commit and the times of changed source files, or null without git. A build is stale if this differs. */
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
      "client",
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
