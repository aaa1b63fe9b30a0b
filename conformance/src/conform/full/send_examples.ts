import { newestRelease, releaseDates, type Operation } from '../../../../generated/operations.ts'
import type { ReleaseDate } from '../../../../generated/types.ts'
import { DatedContract } from '../../dated_contract.ts'
import type { FullRunContext } from './full_run_context.ts'
import type { AcceptedWrite } from './writer.ts'

export interface Target {
  readonly path?: Readonly<Record<string, string>>
  /** The data source of the examples whose properties the example refers to. */
  readonly dataSourceId?: string
}

export interface ExampleOptions {
  /** Finds or creates the target of an example; a string gives the reason if there is none. */
  readonly target?: (body: unknown, name: string) => Promise<Target | string> | Target | string
  /** Called with each response. */
  readonly onAccepted?: (accepted: AcceptedWrite, body: unknown) => Promise<void> | void
  /** Names of examples that a server may refuse for reasons that the contract leaves open. */
  readonly uncertain?: ReadonlySet<string>
  /** The name of an example after which others may no longer work. */
  readonly last?: string
}

/**
 * Sends every example of a request in the newest release that has the operation, and in each older one the first accepted one: shapes
 * differ between releases, effects do not.
 */
export async function sendExamples(context: FullRunContext, operation: Operation, options: ExampleOptions = {}): Promise<void> {
  const dates = releaseDates.filter((date) => DatedContract.of(date).operation(operation) !== undefined).toReversed()
  for (const [index, date] of dates.entries()) {
    const examples = DatedContract.of(date).requestExamples(operation)
    const isLast = ([name]: readonly [string, unknown]): boolean => name === options.last
    let isTaken = false
    for (const [name, body] of [...examples.filter((one) => !isLast(one)), ...examples.filter(isLast)]) {
      isTaken = await sendExample(context, operation, name, body, date, { ...options, isQuiet: index > 0 })
      if (isTaken && index > 0) break
    }
    if (!isTaken && index > 0)
      context.run.leaveOut(`${operation.id} in ${date}`, context.writer.lastRefusalOf(operation) ?? 'no example could be sent')
  }
}

async function sendExample(
  context: FullRunContext,
  operation: Operation,
  example: string,
  body: unknown,
  date: ReleaseDate,
  { target = () => ({}), onAccepted, uncertain, isQuiet }: ExampleOptions & { readonly isQuiet: boolean },
): Promise<boolean> {
  const { run, replacements, writer } = context
  const name = date === newestRelease ? example : `${example} in ${date}`
  const place = await target(body, example)
  const leaveOut = (reason: string, what = name): false => {
    if (!isQuiet) run.leaveOut(`${operation.id}: ${what}`, reason)
    return false
  }
  if (typeof place === 'string') return leaveOut(place)
  const { value, missing, dropped } = replacements.fill(body, place.dataSourceId)
  if (missing.length > 0) return leaveOut(`it names ${missing.join(' and ')}`)
  if (dropped.length > 0) leaveOut(`it names ${dropped.join(' and ')}`, `a part of ${name}`)
  const isCertain = date === newestRelease && uncertain?.has(example) !== true && dropped.length === 0
  const accepted = await writer.send(
    operation,
    { ...(place.path && { path: place.path }), body: value, version: date },
    { name, isCertain, isQuiet },
  )
  if (accepted) await onAccepted?.(accepted, body)
  return accepted !== undefined
}

/** Reports variants of a union that no accepted request of an operation contained. */
export function noteUnsent(
  { form, run, writer }: FullRunContext,
  [operation, ...others]: readonly [Operation, ...Operation[]],
  union: string,
): void {
  const sent = JSON.stringify([operation, ...others].flatMap((one) => writer.goodOf(one)).map(({ body }) => body))
  for (const kind of form.kinds(union))
    if (!sent.includes(`"${kind}":`)) run.leaveOut(`${operation.id}: ${kind}`, 'no accepted example contains it')
}
