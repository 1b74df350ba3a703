import { AppError } from "../domain/errors.ts"

/** Thrown if an engine cannot process any recording: its model, library or server is unavailable. */
export class EngineUnavailableError extends AppError {}
