import { basename } from "node:path"
import { AppError } from "../domain/errors.ts"

/** Replaces a path and its base name in a text by a display name. */
export const replacePath = (text: string, path: string, name: string): string =>
  text
    .split(path)
    .map((part) => part.replaceAll(basename(path), name))
    .join(name)

/** Returns the error with the display name of the recording in place of an internal path. */
export const withDisplayName = (error: unknown, path: string, name: string): unknown => {
  if (!AppError.is(error)) return error
  const { code, message, retry, retryInMs } = error
  const displayed = replacePath(message, path, name)
  if (displayed === message) return error
  return new AppError(code, displayed, { cause: error, retry, ...(retryInMs !== undefined && { retryInMs }) })
}
