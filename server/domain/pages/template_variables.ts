import { Temporal } from 'temporal-polyfill'
import type { StoredMention } from '../rich_text/stored.ts'

/** Resolves the variables of a template when it is applied. */
export interface TemplateVariables {
  /** The mentions `@Today`, `@Now` and `@Me`. */
  resolve(mention: Extract<StoredMention, { type: 'template_mention' }>['template_mention']): StoredMention
}

/** @param userId the user for `@Me` @param timeZone the IANA time zone for `@Today` and `@Now` */
export function variablesAt(now: number, timeZone: string, userId: string): TemplateVariables {
  const moment = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const dates = {
    today: moment.toPlainDate().toString(),
    now: moment.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }),
  }
  return {
    resolve: (mention) =>
      mention.type === 'template_mention_user'
        ? { type: 'user', user: { id: userId } }
        : { type: 'date', date: { start: dates[mention.template_mention_date], end: null, time_zone: null } },
  }
}

/** Stored JSON with every template mention in its rich text resolved. */
export function withVariables(value: unknown, variables: TemplateVariables): unknown {
  if (Array.isArray(value)) return value.map((entry) => withVariables(entry, variables))
  if (typeof value !== 'object' || value === null) return value
  if (isTemplateMention(value)) return variables.resolve(value.template_mention)
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withVariables(entry, variables)]))
}

function isTemplateMention(value: object): value is Extract<StoredMention, { type: 'template_mention' }> {
  return 'type' in value && value.type === 'template_mention' && 'template_mention' in value
}
