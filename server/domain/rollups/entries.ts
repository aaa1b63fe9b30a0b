import type { DateValue, RollupArrayEntry } from '../../../generated/types.ts'

/** One element of a value that is a list: an option, a person, a file, a related page. Other values are their only element. */
export function elementsOf(entry: RollupArrayEntry): RollupArrayEntry[] {
  if (isEmptyEntry(entry)) return []
  switch (entry.type) {
    case 'multi_select':
      return entry.multi_select.map((option) => ({ type: 'multi_select', multi_select: [option] }))
    case 'people':
      return entry.people.map((person) => ({ type: 'people', people: [person] }))
    case 'files':
      return entry.files.map((file) => ({ type: 'files', files: [file] }))
    case 'relation':
      return entry.relation.map((page) => ({ type: 'relation', relation: [page] }))
    default:
      return [entry]
  }
}

/** No value, empty text, an empty list. A checkbox is never empty; what is unsupported counts as empty. */
export function isEmptyEntry(entry: RollupArrayEntry): boolean {
  switch (entry.type) {
    case 'title':
      return plainText(entry.title) === ''
    case 'rich_text':
      return plainText(entry.rich_text) === ''
    case 'multi_select':
      return entry.multi_select.length === 0
    case 'people':
      return entry.people.length === 0
    case 'files':
      return entry.files.length === 0
    case 'relation':
      return entry.relation.length === 0
    case 'url':
      return (entry.url ?? '') === ''
    case 'email':
      return (entry.email ?? '') === ''
    case 'phone_number':
      return (entry.phone_number ?? '') === ''
    case 'number':
      return entry.number === null
    case 'select':
      return entry.select === null
    case 'status':
      return entry.status === null
    case 'date':
      return entry.date === null
    case 'place':
      return entry.place === null
    case 'unique_id':
      return entry.unique_id.number === null
    case 'verification':
      return entry.verification === null || entry.verification.state === 'unverified'
    case 'formula':
      return (formulaValue(entry) ?? '') === ''
    case 'checkbox':
    case 'created_time':
    case 'last_edited_time':
    case 'created_by':
    case 'last_edited_by':
      return false
  }
}

/** A text that equal values share. Of an element of a list, as `elementsOf` gives them. */
export function keyOfEntry(entry: RollupArrayEntry): string {
  return JSON.stringify(identityOf(entry))
}

function identityOf(entry: RollupArrayEntry): unknown {
  switch (entry.type) {
    case 'title':
      return plainText(entry.title)
    case 'rich_text':
      return plainText(entry.rich_text)
    case 'select':
      return entry.select?.id
    case 'status':
      return entry.status?.id
    case 'multi_select':
      return entry.multi_select.map(({ id }) => id)
    case 'people':
      return entry.people.map(({ id }) => id)
    case 'relation':
      return entry.relation.map(({ id }) => id)
    case 'files':
      // The address of a hosted file carries a signature that each reading makes anew.
      return entry.files.map((file) => (file.type === 'file' ? file.file.url.split('?', 1)[0] : file.external.url))
    case 'date':
      return dateIdentity(entry.date)
    case 'place':
      return entry.place
    case 'unique_id':
      return entry.unique_id
    case 'verification':
      return [entry.verification?.state, dateIdentity(entry.verification?.date ?? null)]
    case 'formula':
      return [entry.formula.type, formulaValue(entry)]
    case 'created_by':
      return entry.created_by.id
    case 'last_edited_by':
      return entry.last_edited_by.id
    case 'number':
      return entry.number
    case 'checkbox':
      return entry.checkbox
    case 'url':
      return entry.url
    case 'email':
      return entry.email
    case 'phone_number':
      return entry.phone_number
    case 'created_time':
      return entry.created_time
    case 'last_edited_time':
      return entry.last_edited_time
  }
}

function dateIdentity(date: DateValue | null): unknown {
  return date && [Date.parse(date.start), date.start.length, date.end && Date.parse(date.end)]
}

/** The typed value of a formula, null for an unsupported one; a date by its instants. */
function formulaValue({ formula }: Extract<RollupArrayEntry, { type: 'formula' }>): unknown {
  switch (formula.type) {
    case 'string':
      return formula.string
    case 'number':
      return formula.number
    case 'boolean':
      return formula.boolean
    case 'date':
      return dateIdentity(formula.date)
    case 'unsupported':
      return null
  }
}

/** The number of a number, or of a formula that gives one. */
export function numberIn(entry: RollupArrayEntry): number | null {
  if (entry.type === 'number') return entry.number
  return entry.type === 'formula' && entry.formula.type === 'number' ? entry.formula.number : null
}

/** True or false of a checkbox, or of a formula that gives one. */
export function booleanIn(entry: RollupArrayEntry): boolean | null {
  if (entry.type === 'checkbox') return entry.checkbox
  return entry.type === 'formula' && entry.formula.type === 'boolean' ? entry.formula.boolean : null
}

/** The date of a date, of a time of the row, or of a formula that gives one. */
export function dateIn(entry: RollupArrayEntry): DateValue | null {
  if (entry.type === 'date') return entry.date
  if (entry.type === 'created_time') return momentOf(entry.created_time)
  if (entry.type === 'last_edited_time') return momentOf(entry.last_edited_time)
  return entry.type === 'formula' && entry.formula.type === 'date' ? entry.formula.date : null
}

/** In the form of date values, which end in an offset. */
function momentOf(timestamp: string): DateValue {
  return { start: timestamp.replace('Z', '+00:00'), end: null, time_zone: null }
}

function plainText(runs: readonly { readonly plain_text: string }[]): string {
  return runs.map(({ plain_text }) => plain_text).join('')
}
