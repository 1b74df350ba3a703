import { AppError } from "../../domain/errors.ts"

/** A model's answer is still invalid after a repair request. Another attempt may succeed. */
export class InvalidModelOutputError extends AppError {
  /** A sentence about what is wrong with the second answer. */
  readonly problem: string

  constructor(model: string, what: string, problem: string) {
    super(
      "unavailable",
      `The model '${model}' gave no usable answer when asked for ${what}, twice. ${problem} Try again, or set SERVICE_LLM_MODEL to another model.`,
      { retry: "retry" },
    )
    this.problem = problem
  }
}
