/** The most bytes that all copies of a run may hold in total. */
export class CopyBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

/** A copy of a body in transit, unless it is too long. */
export class BodyCopy {
  readonly #budget: CopyBudget
  readonly #bytesMax: number
  #chunks: Buffer[] | undefined = []
  #byteLength = 0

  constructor(budget: CopyBudget, bytesMax: number) {
    this.#budget = budget
    this.#bytesMax = bytesMax
  }

  add(chunk: Buffer): void {
    if (!this.#chunks) return
    if (this.#byteLength + chunk.length > this.#bytesMax || !this.#budget.take(chunk.length)) {
      this.drop()
      return
    }
    this.#chunks.push(chunk)
    this.#byteLength += chunk.length
  }

  /** Undefined when the body was too long. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks)
  }

  /** Frees the memory. */
  drop(): void {
    this.#budget.give(this.#byteLength)
    this.#chunks = undefined
    this.#byteLength = 0
  }
}
