import type { GroupByRequest, PropertyValue, SchemaOption } from '../../../../generated/types.ts'
import type { CellKey } from '../../../store/cells.ts'
import type { SchemaProperty, FormulaSchema } from '../formulas/schema.ts'
import type { FormulaType, ResultType } from '../formulas/types.ts'
import type { FormulaValue } from '../formulas/values.ts'
import type { OptionsProperty, PropertyOf, PropertyType, SettingsOf, StoredProperty } from '../properties/stored.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import type { ValueNotes } from '../properties/value_notes.ts'
import type { PlainValue } from '../queries/checks.ts'
import type { ConditionContext, ElementCondition } from '../queries/conditions.ts'
import type { Criterion } from '../queries/criterion.ts'
import type { SortSource, SortValue } from '../queries/sort_source.ts'
import type { Facts } from '../../content/index.ts'
import type { RollupSource } from '../rollups/functions.ts'
import type { Row } from '../rows/row.ts'

/**
 * The definition of a property type, facet by facet. Other modules find facets in the index of this folder and do not switch on type names.
 * Every type must state every facet, if only as `none`: a missing facet does not compile.
 */
export interface PropertyFacets<T extends PropertyType = PropertyType> {
  readonly config: ConfigFacet<T>
  readonly value: ValueFacet<T>
  readonly conversion: ConversionFacet<T>
  readonly filter: 'none' | FilterFacet<T>
  /** The source of sort values. */
  readonly sort: 'none' | Method<[property: PropertyOf<T>, context: FilterContext], SortSource>
  readonly formula: FormulaFacet<T>
  readonly rollup: 'none' | RollupFacet<T>
  readonly view: ViewFacet
  readonly items: ItemsFacet
}

/** A function type with bivariant parameters, like a method, so that facets of one type are assignable to facets of any type. */
type Method<A extends readonly unknown[], R> = { call(...args: A): R }['call']

/** The payload of a value in responses: the member that is named after the type. */
export type PayloadOf<T extends PropertyType> = T extends PropertyValue['type']
  ? Extract<PropertyValue, { readonly type: T }> extends Readonly<Record<T, infer P>>
    ? P
    : never
  : never

/** How columns of the type appear in schemas. */
export interface ConfigFacet<T extends PropertyType> {
  /** How many columns of the type a data source has. */
  readonly count: 'exactly one' | 'at most one' | 'any'
  /** Whether the API can add a column of the type to an existing schema. */
  readonly isAddable: boolean
  /** How settings are resolved. Those that refer to other columns are resolved once all columns are known. */
  readonly settings: OwnSettings<T> | 'relation' | 'rollup' | 'formula'
  /** The configuration of a column in responses: the member that is named after the type. */
  readonly present: Method<[property: PropertyOf<T>, schemas: SchemaNames], object>
  /** Data sources whose columns `present` refers to. */
  readonly sources: 'none' | Method<[property: PropertyOf<T>], readonly string[]>
  readonly options: 'none' | OptionsFacet
}

/** Settings that refer to no other column. `path` is their path in the request. */
interface OwnSettings<T extends PropertyType> {
  create(content: object, path: string): SettingsOf<T>
  change(property: PropertyOf<T>, content: object, path: string): SettingsOf<T>
}

/** For columns and values that consist of options. */
export interface OptionsFacet {
  ids(stored: unknown): readonly string[]
  /** The stored value for option ids; undefined for none. */
  keep(ids: readonly string[]): unknown
  /** Makes a column that is converted to this type keep its options. */
  adopt(property: OptionsProperty, options: readonly SchemaOption[]): OptionsProperty
}

/** Schemas that settings need to present the names of other columns. */
export interface SchemaNames {
  readonly siblings: readonly StoredProperty[]
  /** Undefined for a data source that is not visible to the caller. */
  readonly source: (id: string) => { readonly databaseId: string; readonly properties: readonly StoredProperty[] } | undefined
  readonly formulaSchema: (id: string) => FormulaSchema | undefined
}

/** How rows hold values of the type. The stored form is undefined if there is no value. */
interface ValueFacet<T extends PropertyType> {
  stored(row: Row, id: string): unknown
  /** The stored form of a written value, whose shape has been validated against the contract. */
  readonly write: 'by the service' | Method<[written: unknown, path: string, property: PropertyOf<T>, notes: ValueNotes], unknown>
  /** The default value of new rows. `number` stands for the next number of the data source. */
  readonly initial: 'none' | 'number' | Method<[property: PropertyOf<T>], unknown>
  /** Whether new rows copy the value of their template. */
  readonly isCopiedFromTemplate: boolean
  /** How a value changes when its row moves to another data source with a column of the same name and type. */
  readonly transfer: 'none' | 'unchanged' | Method<[stored: unknown, from: PropertyOf<T>, to: PropertyOf<T>], unknown>
  /** Reports the users and content that the stored value refers to. */
  readonly references: 'none' | Method<[stored: unknown, to: ReferenceVisitor], void>
  /** The payload in responses. `computed`: derived from other values by rows/computed.ts. */
  readonly present: 'none' | 'computed' | Method<[stored: unknown, property: PropertyOf<T>, facts: ValueFacts], PayloadOf<T>>
  /** Further members of the response object beside the payload. */
  readonly extraMembers: 'none' | Method<[stored: unknown], object>
  /** The index keys of a value: one entry per element of a list, in order; none for an empty value. */
  readonly keys: 'none' | Method<[stored: unknown], CellKey[]>
}

/** Called with the references of values. */
export interface ReferenceVisitor {
  user(id: string): void
  group(id: string): void
  /** Stored content that may contain mentions. */
  content(stored: unknown): void
}

/** How a column is converted to another type. */
export interface ConversionFacet<T extends PropertyType> {
  /** The text form of a stored value; lists joined with `, `. */
  readonly toText: 'none' | Method<[stored: unknown, property: PropertyOf<T>, facts: Facts], string>
  /** Parses a value from text, which may come from any type or only from text columns. */
  readonly fromText: 'none' | { readonly of: 'any type' | 'texts'; parse(text: string, into: ConversionTarget<T>): unknown }
  /** Data that must be read before a conversion in either direction. */
  readonly lookups: 'none' | 'mentions' | 'titles' | 'people'
}

interface ConversionTarget<T extends PropertyType> {
  readonly property: PropertyOf<T>
  /** User ids, keyed by id and by lower-case email address. */
  readonly users: ReadonlyMap<string, string>
  /** The id of the option with a name, which is created if it is missing. */
  readonly optionNamed: (name: string) => string | undefined
}

export interface FilterFacet<T extends PropertyType> {
  /** The condition keys that the type accepts: its own name, and the name of a type whose conditions it shares. */
  readonly keys: 'own' | 'own or rich_text' | 'own or date' | 'own or people'
  /** Whether conditions compare ids. */
  readonly operands: 'ids' | 'others'
  /** @throws ServiceError `validation_error` below `place` */
  parse(property: PropertyOf<T>, condition: unknown, place: string, context: FilterContext): Criterion
}

/** The context for parsing filters and sorts. */
export interface FilterContext {
  readonly viewer: ConditionContext
  /** Result types of formulas, by column id; undefined if the type depends on the value. */
  readonly resultTypes: ReadonlyMap<string, ResultType | undefined>
  /** The properties that rollups aggregate, by column id. */
  readonly rollupTargets: ReadonlyMap<string, RollupTarget>
}

export interface RollupTarget {
  readonly property: StoredProperty
  readonly rollup: PropertyFacets['rollup']
  /** The result type, if the property is a formula. */
  readonly resultType: ResultType | undefined
}

/** How formulas treat the type. */
interface FormulaFacet<T extends PropertyType> {
  /** `pages` stands for relations. `rollup` and `formula` mark types that depend on the settings. */
  readonly type: 'none' | FormulaType | 'pages' | 'rollup' | 'formula'
  /** The value that formulas see. Related pages and rollups are resolved from other rows. */
  readonly value: 'none' | Method<[payload: PayloadOf<T>], FormulaValue>
  /** Further members of the property in the formula schema, besides its type. */
  readonly describe: 'none' | Method<[property: PropertyOf<T>, written: string | undefined], Partial<SchemaProperty>>
}

/** How rollups treat values of the type. */
export interface RollupFacet<T extends PropertyType> {
  /** The kind of value for rollup functions. `by result type` stands for the kind of the formula's result. */
  readonly source: Exclude<RollupSource, 'any'> | 'none' | 'by result type'
  /** The value that conditions, sorts and functions use. */
  toPlain(payload: PayloadOf<T>): PlainValue
  /** `by plain value`: null, empty text and empty lists are empty. */
  readonly isEmpty: 'by plain value' | Method<[payload: PayloadOf<T>], boolean>
  /** A key that two values share if they are equal. */
  readonly identity: 'by plain value' | Method<[payload: PayloadOf<T>], unknown>
  /** `each`: the value is a list whose elements are counted individually. */
  readonly elements: 'whole' | 'each'
  /** The key of conditions on rollup elements. */
  readonly condition: 'none' | 'by result type' | ElementCondition
  readonly sort: 'by plain value' | Method<[payload: PayloadOf<T>, property: PropertyOf<T>], SortValue>
}

/** How views use the type. */
export interface ViewFacet {
  /** The view setting that accepts properties of the type. */
  readonly setting: 'date' | 'place' | 'cover' | 'relation' | 'none'
  readonly group: 'none' | GroupByRequest['type']
  /** Further members of the grouping of a new view. */
  readonly grouping: object
  /** The rank of the type when a new view picks a property without a request; 1 is preferred. */
  readonly defaults: Readonly<Record<'board' | 'calendar' | 'chart', number | 'never'>>
}

/**
 * How the property item endpoint returns the value: not at all, as one item, as the links in the index, as the entries of a rollup, or as a
 * list.
 */
export type ItemsFacet = 'none' | 'whole' | 'links' | 'rollup' | ListFacet

interface ListFacet {
  /** The stored elements, from which one page of items is taken. */
  elements(stored: unknown): readonly unknown[]
  present(elements: readonly unknown[], facts: ValueFacts): readonly unknown[]
}
