/** Builders of property values to send. Values without a builder, such as `{ number: 3 }`, are as short by hand. */
import type {
  DatePropertyValueRequest,
  FilesPropertyValueRequest,
  MultiSelectPropertyValueRequest,
  PeoplePropertyValueRequest,
  RelationPropertyValueRequest,
  RichTextPropertyValueRequest,
  SelectPropertyValueRequest,
  StatusPropertyValueRequest,
  TitlePropertyValueRequest,
} from '../../generated/types.ts'
import { richTextRequest, type RichTextInput } from './rich_text_input.ts'

/** A point in time, or a date as the contract writes it, such as `2026-03-11` for a whole day. */
type DateInput = string | Date

export function title(text: RichTextInput): TitlePropertyValueRequest {
  return { title: richTextRequest(text) }
}

export function richText(text: RichTextInput): RichTextPropertyValueRequest {
  return { rich_text: richTextRequest(text) }
}

/** @param name of the option; null selects none */
export function select(name: string | null): SelectPropertyValueRequest {
  return { select: name === null ? null : { name } }
}

export function multiSelect(...names: readonly string[]): MultiSelectPropertyValueRequest {
  return { multi_select: names.map((name) => ({ name })) }
}

/** @param name of the status; null sets the default */
export function status(name: string | null): StatusPropertyValueRequest {
  return { status: name === null ? null : { name } }
}

/** Without `end`, a single date; otherwise a range. */
export function date(start: DateInput, end?: DateInput): DatePropertyValueRequest {
  return { date: { start: dateText(start), ...(end !== undefined && { end: dateText(end) }) } }
}

/** Users and groups by their ids. */
export function people(...ids: readonly string[]): PeoplePropertyValueRequest {
  return { people: ids.map((id) => ({ id })) }
}

/** Pages by their ids. */
export function relation(...ids: readonly string[]): RelationPropertyValueRequest {
  return { relation: ids.map((id) => ({ id })) }
}

/** Uploads by their ids. */
export function uploads(...ids: readonly string[]): FilesPropertyValueRequest {
  return { files: ids.map((id) => ({ file_upload: { id } })) }
}

function dateText(date: DateInput): string {
  return typeof date === 'string' ? date : date.toISOString()
}
