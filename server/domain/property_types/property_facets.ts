import type { GroupByRequest, PropertyValue, RollupSubfilter, SchemaOption } from '../../../generated/types.ts'
import type { CellKey } from '../../store/cells.ts'
import type { SchemaProperty, FormulaSchema } from '../formulas/schema.ts'
import type { FormulaType, ResultType } from '../formulas/types.ts'
import type { FormulaValue } from '../formulas/values.ts'
import type { OptionsProperty, PropertyOf, PropertyType, SettingsOf, StoredProperty } from '../properties/stored.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import type { ValueNotes } from '../properties/value_notes.ts'
import type { PlainValue } from '../queries/checks.ts'
import type { ConditionContext } from '../queries/conditions.ts'
import type { Criterion } from '../queries/criterion.ts'
import type { SortSource, SortValue } from '../queries/sort_source.ts'
import type { Facts } from '../rich_text/facts.ts'
import type { RollupSource } from '../rollups/functions.ts'
import type { Row } from '../rows/row.ts'

/**
 * Everything that a property type means, facet by facet. The rooms look facets up in the index of this folder and know no type by name.
 * What a type does not have, it says: a facet that is left out does not compile.
 */
export interface PropertyFacets<T extends PropertyType = PropertyType> {
  readonly config: ConfigFacet<T>
  readonly value: ValueFacet<T>
  readonly conversion: ConversionFacet<T>
  readonly filter: 'none' | FilterFacet<T>
  /** What rows are sorted by. */
  readonly sort: 'none' | Method<[property: PropertyOf<T>, context: FilterContext], SortSource>
  readonly formula: FormulaFacet<T>
  readonly entry: 'none' | EntryFacet<T>
  readonly view: ViewFacet
  readonly items: ItemsFacet
}

/** Compared as methods are: what takes the values of one type may stand where those of any type are passed on. */
type Method<A extends readonly unknown[], R> = { call(...args: A): R }['call']

/** What stands under the key named by the type in answers. */
export type PayloadOf<T extends PropertyType> = T extends PropertyValue['type']
  ? Extract<PropertyValue, { readonly type: T }> extends Readonly<Record<T, infer P>>
    ? P
    : never
  : never

/** Columns of the type in schemas. */
export interface ConfigFacet<T extends PropertyType> {
  /** Columns of the type that a data source has. */
  readonly count: 'exactly one' | 'at most one' | 'any'
  /** Whether the API brings a column of the type into a schema that is there. */
  readonly comes: 'any time' | 'with the data source'
  /** `alone`: its settings name no other column. The others are settled once all columns have their places. */
  readonly settled: Alone<T> | 'as a relation' | 'as a rollup' | 'as a formula'
  /** What stands under the key named by the type in schemas. */
  readonly present: Method<[property: PropertyOf<T>, schemas: SchemaNames], object>
  /** Data sources whose columns `present` names. */
  readonly sources: 'none' | Method<[property: PropertyOf<T>], readonly string[]>
  readonly options: 'none' | OptionsFacet
}

/** Settings by themselves. `path`: their place in the request. */
interface Alone<T extends PropertyType> {
  create(content: object, path: string): SettingsOf<T>
  change(property: PropertyOf<T>, content: object, path: string): SettingsOf<T>
}

/** Columns and values with options. */
export interface OptionsFacet {
  /** The ids of a stored value. */
  ids(stored: unknown): readonly string[]
  /** The stored value of ids; undefined for none. */
  keep(ids: readonly string[]): unknown
  /** A column that another one with options has become. */
  adopt(property: OptionsProperty, options: readonly SchemaOption[]): OptionsProperty
}

/** Names of columns, for settings that name some. */
export interface SchemaNames {
  readonly siblings: readonly StoredProperty[]
  /** Undefined for a data source that the caller does not see. */
  readonly source: (id: string) => { readonly databaseId: string; readonly properties: readonly StoredProperty[] } | undefined
  readonly formulaSchema: (id: string) => FormulaSchema | undefined
}

/** Values of the type in rows. A stored value is undefined where there is none. */
interface ValueFacet<T extends PropertyType> {
  /** Where the row keeps it. */
  stored(row: Row, id: string): unknown
  /** The stored form of a written value. The contract has checked the written shape before. */
  readonly write: 'by the service' | Method<[written: unknown, path: string, property: PropertyOf<T>, notes: ValueNotes], unknown>
  /** The value of new rows that a request does not set. `number`: the next one of the data source. */
  readonly initial: 'none' | 'number' | Method<[property: PropertyOf<T>], unknown>
  /** Whether a template gives its value to new rows. */
  readonly template: 'gives' | 'keeps'
  /** A value that comes along from another column of the same name and type. */
  readonly carry: 'none' | 'as it is' | Method<[stored: unknown, from: PropertyOf<T>, to: PropertyOf<T>], unknown>
  /** Whom and what the stored value refers to. */
  readonly refers: 'to nothing' | Method<[stored: unknown, to: References], void>
  /** What stands under the key named by the type in answers. `computed`: from other values, by rows/computed.ts. */
  readonly present: 'none' | 'computed' | Method<[stored: unknown, property: PropertyOf<T>, facts: ValueFacts], PayloadOf<T>>
  /** Members of an answer beside the value. */
  readonly beside: 'nothing' | Method<[stored: unknown], object>
  /** What rows are found and sorted by: one entry for each element of a value of many, in order; none for an empty value. */
  readonly keys: 'none' | Method<[stored: unknown], CellKey[]>
}

/** Takes what values refer to. */
export interface References {
  user(id: string): void
  group(id: string): void
  /** Stored content that mentions anything. */
  content(stored: unknown): void
}

/** How a column becomes one of another type. */
export interface ConversionFacet<T extends PropertyType> {
  /** The text form of a stored value; lists joined with `, `. */
  readonly toText: 'none' | Method<[stored: unknown, property: PropertyOf<T>, facts: Facts], string>
  /** Text that comes from values of any type, or only from a column of texts. */
  readonly fromText: 'none' | { readonly of: 'any type' | 'texts'; parse(text: string, into: ConversionTarget<T>): unknown }
  /** What the two look up. */
  readonly asks: 'nothing' | 'mentions' | 'titles' | 'people'
}

interface ConversionTarget<T extends PropertyType> {
  readonly property: PropertyOf<T>
  /** Ids of users by id and by lower-case e-mail address. */
  readonly users: ReadonlyMap<string, string>
  /** An option with a name, made when it is missing. */
  readonly optionNamed: (name: string) => string | undefined
}

/** Conditions on properties of the type. */
export interface FilterFacet<T extends PropertyType> {
  /** The keys that they stand under. */
  readonly keys: 'own' | 'own or rich_text'
  /** Whether what they compare with are ids. */
  readonly operands: 'ids' | 'others'
  /** @throws ServiceError `validation_error` below `place` */
  parse(property: PropertyOf<T>, condition: unknown, place: string, context: FilterContext): Criterion
}

/** What filters and sorts are read against besides their property. */
export interface FilterContext {
  readonly viewer: ConditionContext
  /** What formulas give, by column; undefined for one whose type only its value decides. */
  readonly resultTypes: ReadonlyMap<string, ResultType | undefined>
  /** What rollups gather, by column. */
  readonly gathered: ReadonlyMap<string, GatheredProperty>
}

export interface GatheredProperty {
  readonly property: StoredProperty
  readonly entry: PropertyFacets['entry']
  /** Of a formula. */
  readonly resultType: ResultType | undefined
}

/** The type in formulas. */
interface FormulaFacet<T extends PropertyType> {
  /** `gathered`: a rollup; `result`: a formula. */
  readonly type: 'none' | FormulaType | 'pages' | 'gathered' | 'result'
  /** The value that formulas see. Pages and what is gathered come from other rows. */
  readonly value: 'none' | Method<[payload: PayloadOf<T>], FormulaValue>
  /** What a schema tells formulas of a property besides its type. */
  readonly describe: 'nothing' | Method<[property: PropertyOf<T>, written: string | undefined], Partial<SchemaProperty>>
}

/** Values of the type as rollups gather them. */
export interface EntryFacet<T extends PropertyType> {
  /** What functions take it as. `result`: what the formula gives. */
  readonly source: Exclude<RollupSource, 'any'> | 'nothing' | 'result'
  read(payload: PayloadOf<T>): PlainValue
  /** `as read`: null, an empty text, an empty list. */
  readonly isEmpty: 'as read' | Method<[payload: PayloadOf<T>], boolean>
  /** What equal values share. */
  readonly identity: 'as read' | Method<[payload: PayloadOf<T>], unknown>
  /** `each`: the value is a list, whose elements count one by one. */
  readonly elements: 'whole' | 'each'
  /** The key of conditions on elements. */
  readonly condition: 'none' | 'as the result' | keyof RollupSubfilter
  readonly sort: 'as read' | Method<[payload: PayloadOf<T>, property: PropertyOf<T>], SortValue>
}

/** The type in views. */
export interface ViewFacet {
  /** Parts of views that take properties of the type. */
  readonly part: 'date' | 'place' | 'cover' | 'relation' | 'none'
  readonly group: 'none' | GroupByRequest['type']
  /** What groups of a new view are made by, besides. */
  readonly grouping: object
  /** Its place among the types that a new view takes for a part, where the request names no property; 1 is first. */
  readonly defaults: Readonly<Record<'board' | 'calendar' | 'chart', number | 'never'>>
}

/** The whole value property by property: nothing, one item, a list, links from the index, or what a rollup gives. */
export type ItemsFacet = 'none' | 'whole' | 'links' | 'gathered' | ListFacet

interface ListFacet {
  /** The stored elements, which a page of items is cut from. */
  elements(stored: unknown): readonly unknown[]
  present(elements: readonly unknown[], facts: ValueFacts): readonly unknown[]
}
