import type { TrackedValue } from './tracked_value.ts'

/** The names that are visible in a part of the code. */
export class CodeScope {
  readonly #outer: CodeScope | undefined
  readonly #values = new Map<string, TrackedValue | undefined>()

  constructor(outer?: CodeScope) {
    this.#outer = outer
  }

  declare(name: string, value: TrackedValue | undefined): void {
    this.#values.set(name, value)
  }

  get(name: string): TrackedValue | undefined {
    return this.#values.has(name) ? this.#values.get(name) : this.#outer?.get(name)
  }

  assign(name: string, value: TrackedValue | undefined): void {
    if (this.#outer && !this.#values.has(name)) this.#outer.assign(name, value)
    else this.#values.set(name, value)
  }
}
