import { AppError } from "../../domain/errors.ts"

/** A model answered, but not even after a repair with something that can be used. Another attempt may help. */
export class InvalidModelOutputError extends AppError {
  constructor(model: string, what: string, problem: string) {
    super(
      "unavailable",
      `The model '${model}' gave no usable answer when asked for ${what}, twice. ${problem} Try again, or another model (SERVICE_LLM_MODEL).`,
      { retry: "retry" },
    )
    this.problem = problem
  }
  /** What was wrong with the second answer, a sentence. */
  readonly problem: string
}
