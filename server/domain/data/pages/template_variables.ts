import { Temporal } from 'temporal-polyfill'
import { isObject } from '../../../kernel/is_object.ts'
import type { StoredMention } from '../../content/index.ts'
import { mapJson } from './copy_tree.ts'

type TemplateMention = Extract<StoredMention, { type: 'template_mention' }>

/** Resolves a variable of a template when it is applied: the mentions `@Today`, `@Now` and `@Me`. */
export type ResolveVariable = (variable: TemplateMention['template_mention']) => StoredMention

/** @param userId the user for `@Me` @param timeZone the IANA time zone for `@Today` and `@Now` */
export function variablesAt(now: number, timeZone: string, userId: string): ResolveVariable {
  const moment = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const dates = {
    today: moment.toPlainDate().toString(),
    now: moment.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }),
  }
  return (variable) =>
    variable.type === 'template_mention_user'
      ? { type: 'user', user: { id: userId } }
      : { type: 'date', date: { start: dates[variable.template_mention_date], end: null, time_zone: null } }
}

/** Stored JSON with every template mention in its rich text resolved. */
export function withVariables(value: unknown, resolve: ResolveVariable): unknown {
  return mapJson(value, (one) => (isTemplateMention(one) ? resolve(one.template_mention) : one))
}

function isTemplateMention(value: unknown): value is TemplateMention {
  return isObject(value) && value['type'] === 'template_mention' && 'template_mention' in value
}
