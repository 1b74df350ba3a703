import { basename } from "node:path"
import { AppError } from "../domain/errors.ts"

/** A sentence about the file at a path, with the name that people know it by in the path's place. */
export const withName = (text: string, path: string, name: string): string =>
  text
    .split(path)
    .map((part) => part.replaceAll(basename(path), name))
    .join(name)

/** The same failure with the recording's own name: where it was kept or fetched to for reading tells nobody anything. */
export const withDisplayName = (error: unknown, path: string, name: string): unknown => {
  if (!AppError.is(error)) return error
  const { code, message, retry, retryInMs } = error
  const said = withName(message, path, name)
  if (said === message) return error
  return new AppError(code, said, { cause: error, retry, ...(retryInMs !== undefined && { retryInMs }) })
}
