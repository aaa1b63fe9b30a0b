import { colorForm, iconForm, richTextForm, withId } from './common_forms.ts'
import { flagForm, id, list, members, nullable, numberForm, object, oneOfTexts, record, tagged, text, type Form } from './form.ts'

const textContent = object(
  {},
  { rich_text: richTextForm, color: colorForm, icon: nullable(iconForm), list_start_index: numberForm },
)
const toggleable = object({}, { rich_text: richTextForm, color: colorForm, is_toggleable: flagForm })
const link = object({}, { url: text, caption: richTextForm })
const title = object({ title: richTextForm })

const hosted = object({ type: oneOfTexts(['file']), file: withId, caption: richTextForm }, { name: text })
const external = object({ external: object({ url: text }), caption: richTextForm }, { name: text })
/** Like `form`, but content with a file must have the form of a file: readers treat it as one. */
function fileOr(form: Form): Form {
  return (value) => (typeof value === 'object' && value !== null && 'file' in value ? hosted : form)(value)
}
const media = fileOr(external)

const meetingNotes = object(
  { status: text },
  {
    title: richTextForm,
    children: record(id),
    calendar_event: object({}, { attendees: list(id), start_time: text, end_time: text }),
    recording: members,
  },
)

/** The form of the stored content of each type of block. Callers do not see the content of blocks of other types. */
export const blockForms: Readonly<Record<string, Form>> = {
  paragraph: textContent,
  heading_1: toggleable,
  heading_2: toggleable,
  heading_3: toggleable,
  heading_4: toggleable,
  bulleted_list_item: textContent,
  numbered_list_item: textContent,
  quote: textContent,
  to_do: object({}, { rich_text: richTextForm, color: colorForm, checked: flagForm }),
  toggle: textContent,
  template: textContent,
  callout: textContent,
  synced_block: object({ synced_from: nullable(object({ block_id: id })) }),
  child_page: title,
  child_database: title,
  data_source: title,
  equation: object({ expression: text }),
  code: object({ language: text }, { rich_text: richTextForm, caption: richTextForm }),
  divider: members,
  breadcrumb: members,
  table_of_contents: object({}, { color: colorForm }),
  tab: members,
  column_list: members,
  column: object({}, { width_ratio: numberForm }),
  link_to_page: tagged({
    page_id: object({ page_id: id }),
    database_id: object({ database_id: id }),
    comment_id: object({ comment_id: id }),
  }),
  table: object({ table_width: numberForm }, { has_column_header: flagForm, has_row_header: flagForm }),
  table_row: object({ cells: list(richTextForm) }),
  embed: fileOr(link),
  bookmark: link,
  image: media,
  video: media,
  pdf: media,
  audio: media,
  file: media,
  meeting_notes: meetingNotes,
  link_preview: members,
  unsupported: object({ block_type: text }),
}

export const blockTypeForm = oneOfTexts(Object.keys(blockForms))
