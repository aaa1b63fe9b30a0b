import type { Code } from './frame.ts'
import type { FormulaType } from './types.ts'

/** An expression whose types fit. */
export interface Checked {
  readonly type: FormulaType
  readonly code: Code
  /** Levels that its evaluation nests. */
  readonly nesting: number
  /** Where errors about it point: a UTF-16 offset. */
  readonly offset: number
}

interface Binding {
  readonly type: FormulaType
  /** Its place among the slots of a frame. */
  readonly slot: number
}

/** The names that an expression may use. */
export class Scope {
  readonly #bindings: ReadonlyMap<string, Binding>
  readonly #slots: { next: number }

  constructor(bindings: ReadonlyMap<string, Binding> = new Map(), slots = { next: 0 }) {
    this.#bindings = bindings
    this.#slots = slots
  }

  find(name: string): Binding | undefined {
    return this.#bindings.get(name)
  }

  /** The scope with one more name, and the slot of that name. A name that is taken is hidden by it. */
  with(name: string, type: FormulaType): { scope: Scope; slot: number } {
    const slot = this.#slots.next++
    return { scope: new Scope(new Map(this.#bindings).set(name, { type, slot }), this.#slots), slot }
  }
}
