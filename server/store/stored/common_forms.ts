import { either, flagForm, id, list, nullable, object, oneOfTexts, tagged, text, type Form } from './form.ts'

/** Forms that several columns share. They do not contain data that is derived on reading. */

const HUES = ['gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'] as const
export const textColors: readonly string[] = ['default', 'default_background', ...HUES, ...HUES.map((hue) => `${hue}_background`)]
export const optionColors: readonly string[] = ['default', ...HUES]
export const iconColors: readonly string[] = ['lightgray', ...HUES]

export const colorForm = oneOfTexts(textColors)
export const withId = object({ id })
const withUrl = object({ url: text })

export const dateForm = object({ start: text, end: nullable(text) }, { time_zone: nullable(text) })

export const fileForm = object({ type: oneOfTexts(['file']), file: withId })
const external = object({ type: oneOfTexts(['external']), external: withUrl })

export const coverForm = tagged({ external, file: fileForm })
export const iconForms = {
  emoji: object({ emoji: text }),
  custom_emoji: object({ custom_emoji: withId }),
  icon: object({ icon: object({ name: text, color: oneOfTexts(iconColors) }) }),
  external,
  file: fileForm,
}
export const iconForm = tagged(iconForms)

const mention = tagged({
  user: object({ user: withId }),
  date: object({ date: dateForm }),
  page: object({ page: withId }),
  database: object({ database: withId }),
  custom_emoji: object({ custom_emoji: withId }),
  template_mention: object({
    template_mention: tagged({
      template_mention_date: object({ template_mention_date: oneOfTexts(['today', 'now']) }),
      template_mention_user: object({ template_mention_user: oneOfTexts(['me']) }),
    }),
  }),
})

const annotations = object(
  {},
  { bold: flagForm, italic: flagForm, strikethrough: flagForm, underline: flagForm, code: flagForm, color: colorForm },
)
const item = (members: Readonly<Record<string, Form>>): Form => object(members, { annotations })

export const richTextForm = list(
  tagged({
    text: item({ text: object({ content: text }, { link: nullable(withUrl) }) }),
    equation: item({ equation: object({ expression: text }) }),
    mention: item({ mention }),
  }),
)

export const person = object({ object: oneOfTexts(['user', 'group']), id })

export const namedFile = either(
  'a file with its name',
  object({ name: text, type: oneOfTexts(['file']), file: withId }),
  object({ name: text, type: oneOfTexts(['external']), external: withUrl }),
)
