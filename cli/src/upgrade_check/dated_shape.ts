import { acceptsKey, formsOf, hasType, knowsKey, type ValueForm, type ValueSchema, type ValueSchemas } from './value_form.ts'

/** One contract's schemas of a value. */
interface Side {
  readonly schemas: ValueSchemas
  readonly forms: readonly ValueForm[]
}

/** A value of a request or response, in the contracts of two release dates. */
export class DatedShape {
  readonly #old: Side
  readonly #new: Side
  /** Whether programs send the value; otherwise they receive it. */
  readonly isSent: boolean

  private constructor(before: Side, after: Side, isSent: boolean) {
    this.#old = before
    this.#new = after
    this.isSent = isSent
  }

  /** @returns undefined if one of the contracts does not have the value */
  static of(sides: readonly Described[], isSent: boolean): DatedShape | undefined {
    const [before, after] = sides.map(({ schemas, described }) => ({
      schemas,
      forms: described.flatMap((schema) => formsOf(schemas, schema)),
    }))
    return before?.forms.length && after?.forms.length ? new DatedShape(before, after, isSent) : undefined
  }

  /** Whether the property exists only in the older contract. */
  losesKey(name: string): boolean {
    const accepts = this.isSent ? acceptsKey : knowsKey
    return this.#old.forms.some((form) => knowsKey(form, name)) && !this.#new.forms.some((form) => accepts(form, name))
  }

  /** Whether the older contract names this value, and the newer one does not allow it. */
  losesValue(text: string): boolean {
    const allows = (form: ValueForm): boolean => (form.values ? form.values.includes(text) : hasType(form, 'string'))
    return this.#old.forms.some(({ values }) => values?.includes(text)) && !this.#new.forms.some(allows)
  }

  /** Whether an object with these properties fits only the older contract, because the newer one requires others. */
  losesForm(names: readonly string[]): boolean {
    const fits = (form: ValueForm): boolean =>
      hasType(form, 'object') &&
      form.required.every((name) => names.includes(name)) &&
      names.every((name) => acceptsKey(form, name))
    return this.isSent && this.#old.forms.some(fits) && !this.#new.forms.some(fits)
  }

  /** Whether the value has parts whose names may differ. */
  get hasMembers(): boolean {
    return this.#old.forms.some(({ properties, others, items }) => Object.keys(properties).length > 0 || others || items)
  }

  member(name: string): DatedShape | undefined {
    return this.#inner(({ properties, others }) => (Object.hasOwn(properties, name) ? properties[name] : others))
  }

  /** The shape of the items of an array, or of the results of a list. */
  items(): DatedShape | undefined {
    return this.#inner(({ items }) => items) ?? this.member('results')?.items()
  }

  #inner(select: (form: ValueForm) => ValueSchema | undefined): DatedShape | undefined {
    const within = ({ schemas, forms }: Side): Described => ({ schemas, described: forms.flatMap((form) => select(form) ?? []) })
    return DatedShape.of([within(this.#old), within(this.#new)], this.isSent)
  }
}

/** Schemas of a value in a contract. */
export interface Described {
  readonly schemas: ValueSchemas
  readonly described: readonly ValueSchema[]
}
