import type { Code } from './frame.ts'
import type { FormulaType } from './types.ts'

export interface Checked {
  readonly type: FormulaType
  readonly code: Code
  /** The depth to which its evaluation nests. */
  readonly nesting: number
  /** The UTF-16 offset that errors about the expression report. */
  readonly offset: number
}

interface Binding {
  readonly type: FormulaType
  /** The index of its value in the slots of a frame. */
  readonly slot: number
}

/** The names in scope for an expression: those of its own form and of enclosing forms. */
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

  /** Adds a name, which hides an earlier binding of the same name. @returns its slot */
  add(name: string, type: FormulaType): number {
    const slot = this.#slots.next++
    this.#bindings.set(name, { type, slot })
    return slot
  }
}
