/**
 * Where branded values are in a value of a schema, as `generated/branded_values.ts` lists them. The parts of a place all apply to the same
 * value.
 */
export interface BrandedPlace {
  /** The value itself: own value -> its form, in which `{brand}` stands for the word of the brand. */
  readonly values?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, BrandedPlace>>
  /** The members that `members` does not name. */
  readonly others?: BrandedPlace
  readonly items?: BrandedPlace
  readonly parts?: readonly BrandedPlace[]
  /** A place of `brandedSchemas`. */
  readonly schema?: string
  /** Applies only if each of these members that the object has is one of the values, where `{brand}` stands for the word. */
  readonly when?: Readonly<Record<string, readonly string[]>>
}

/** The places of one operation. Members of `path` and `query` are parameters. */
export interface BrandedOperation {
  readonly path?: BrandedPlace
  readonly query?: BrandedPlace
  readonly body?: BrandedPlace
  readonly answer?: BrandedPlace
}
