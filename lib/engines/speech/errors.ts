import { AppError } from "../../domain/errors.ts"

/** An engine cannot run at all, whatever the recording: its model, its library or its server is not to be had. */
export class EngineUnavailableError extends AppError {}
