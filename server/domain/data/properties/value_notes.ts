import type { OptionRequest } from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid } from '../../shared/index.ts'
import { ReferenceList } from '../../content/index.ts'
import type { OptionsProperty, RelationProperty } from './stored.ts'

export const OPTIONS_MAX = 100

/** Collects the references in a request's property values while they are parsed. */
export class ValueNotes {
  readonly references: ReferenceList
  /** The user who writes. Verified pages record this user as their verifier. */
  readonly userId: string
  /** The stored file to which a presented address of this row belongs; undefined for any other address. */
  readonly heldFile: (url: string) => string | undefined
  readonly people: { readonly object: 'user' | 'group'; readonly id: string; readonly path: string }[] = []
  readonly linked: { readonly property: RelationProperty; readonly id: string; readonly path: string }[] = []
  /** Columns that received new options, by id. */
  readonly changedProperties = new Map<string, OptionsProperty>()
  /** The path of the first new option in the request. */
  newOptionPath: string | undefined

  constructor(references: ReferenceList, userId: string, heldFile: ValueNotes['heldFile'] = () => undefined) {
    this.references = references
    this.userId = userId
    this.heldFile = heldFile
  }

  /** @param takesNew whether an option with an unknown name is added @returns the id of the option */
  chooseOption(
    column: OptionsProperty,
    { id, name, color, description }: OptionRequest,
    path: string,
    takesNew: boolean,
  ): string {
    const property = this.changedProperties.get(column.id) ?? column
    const found = property.options.find((option) => (id ? option.id === id : option.name === name))
    if (found && name !== undefined && found.name !== name) {
      throw invalid(`${path}.name`, `should be \`${JSON.stringify(found.name)}\`, the name of the option with this id`)
    }
    if (found) return found.id
    if (id) throw invalid(`${path}.id`, 'should be the id of an option of this property')
    if (name === undefined || !takesNew) {
      throw invalid(`${path}.name`, 'should be the name of an option of this property')
    }
    if (property.options.length >= OPTIONS_MAX) {
      throw invalid(`${path}.name`, `should be the name of an option: the property already has the maximum of ${OPTIONS_MAX}`)
    }
    this.newOptionPath ??= `${path}.name`
    const option = { id: newId(), name, color: color ?? 'default', description: description ?? null } as const
    this.changedProperties.set(property.id, { ...property, options: [...property.options, option] })
    return option.id
  }
}
