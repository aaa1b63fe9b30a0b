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

/** The names that an expression may use: those of its own form, and of the forms around it. */
export class NameScope {
  readonly #bindings = new Map<string, Binding>()
  readonly #outer: NameScope | undefined
  readonly #slots: { next: number }

  constructor(outer?: NameScope) {
    this.#outer = outer
    this.#slots = outer ? outer.#slots : { next: 0 }
  }

  find(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.#outer?.find(name)
  }

  /** Adds a name for what is checked from here on, and gives its slot. A name that is taken is hidden by it. */
  add(name: string, type: FormulaType): number {
    const slot = this.#slots.next++
    this.#bindings.set(name, { type, slot })
    return slot
  }
}
