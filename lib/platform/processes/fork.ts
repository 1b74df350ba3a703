import { type ChildProcess, fork } from "node:child_process"

/** Starts a child program that exchanges messages. It does not inherit the environment, which contains secrets, and does not keep this process running. */
export const forkProgram = (file: string, execArgv: readonly string[]): ChildProcess => {
  const child = fork(file, [], {
    execArgv: [...execArgv],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { NODE_ENV: "production" },
  })
  child.unref()
  child.channel?.unref()
  return child
}

/** Removes the listeners of a finished task. An error that the child emits later, for example when it is killed, does not count as unhandled. */
export const removeTaskListeners = (child: ChildProcess): void => {
  child.removeAllListeners()
  child.on("error", () => {})
}
