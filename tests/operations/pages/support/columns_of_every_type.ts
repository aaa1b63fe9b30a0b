import { textColumns } from '../../../harness/text_types.ts'

/** A column of every type that needs no other data source. */
export const columnsOfEveryType = {
  Text: { rich_text: {} },
  Number: { number: {} },
  Select: { select: { options: [{ name: 'a', color: 'red' }] } },
  Multi: { multi_select: {} },
  Status: { status: {} },
  Date: { date: {} },
  Check: { checkbox: {} },
  Url: { url: {} },
  Email: { email: {} },
  ...textColumns,
  People: { people: {} },
  Files: { files: {} },
  Place: { place: {} },
  Verified: { verification: {} },
  Id: { unique_id: { prefix: 'JOB' } },
  Created: { created_time: {} },
  Author: { created_by: {} },
  Edited: { last_edited_time: {} },
  Editor: { last_edited_by: {} },
  Button: { button: {} },
  Location: { location: {} },
  Visited: { last_visited_time: {} },
}
