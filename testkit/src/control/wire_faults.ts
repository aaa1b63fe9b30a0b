import { RE2JS, RE2JSException } from 're2js'
import type { components } from '../../../generated/control_types.ts'
import { ServiceError, validationError } from '@workspace-service/server/kernel/errors.ts'
import type { FaultCondition, FaultRule } from '@workspace-service/server/faults/fault_rule.ts'
import type { Fault, Faults } from '@workspace-service/server/faults/faults.ts'
import { RuleError } from '@workspace-service/server/faults/require_rule.ts'

type Schemas = components['schemas']
type WireRule = Schemas['FaultRule']
type Preset = Schemas['PresetRequest']

const FAULTS_MAX = 1_000

/** The fault rules of a test server in the form of the control API. */
export class WireFaults {
  readonly #faults: Faults
  /** The ids of rules, including those that the program has added. */
  readonly #ids = new WeakMap<Fault, string>()
  /** Rules as they were written in requests, because compiled patterns do not have their source. */
  readonly #written = new WeakMap<FaultRule, WireRule>()
  #count = 0

  constructor(faults: Faults) {
    this.#faults = faults
  }

  list(): Schemas['FaultList'] {
    return { object: 'list', type: 'fault', results: this.#faults.active.map((fault) => this.#shown(fault)) }
  }

  /** @throws ServiceError `validation_error` for a rule that the contract does not allow */
  add(rule: WireRule): void {
    this.#requireRoom()
    const { retry_after: retryAfter, ...effect } = withoutCondition(rule)
    const kept = { ...conditionOf(rule), ...effect, ...(retryAfter !== undefined && { retryAfter }) } as FaultRule
    atItsPlace(() => this.#faults.add(kept))
    this.#written.set(kept, rule)
  }

  /** @throws ServiceError `validation_error` for options that the preset does not accept */
  addPreset(preset: Preset): void {
    this.#requireRoom()
    requireOptions(preset)
    const before = new Set(this.#faults.active)
    atItsPlace(() => PRESETS[preset.preset](this.#faults, preset, conditionOf(preset)))
    const { header_patterns, headers } = preset
    for (const { rule } of this.#faults.active.filter((fault) => !before.has(fault)))
      this.#written.set(rule, { ...writtenOf(rule), ...(headers && { headers }), ...(header_patterns && { header_patterns }) })
  }

  /** @throws ServiceError `object_not_found` */
  remove(id: string): void {
    const fault = this.#faults.active.find((one) => this.#idOf(one) === id)
    if (!fault) throw new ServiceError('object_not_found', { message: `No fault rule has the id ${JSON.stringify(id)}.` })
    fault.remove()
  }

  /** A rule as it was written. */
  written(rule: FaultRule): WireRule {
    return this.#written.get(rule) ?? writtenOf(rule)
  }

  #shown(fault: Fault): Schemas['Fault'] {
    return { object: 'fault', id: this.#idOf(fault), rule: this.written(fault.rule), acted: fault.acted }
  }

  #idOf(fault: Fault): string {
    const known = this.#ids.get(fault) ?? `fault-${(this.#count += 1)}`
    this.#ids.set(fault, known)
    return known
  }

  #requireRoom(): void {
    if (this.#faults.active.length >= FAULTS_MAX)
      throw new ServiceError('validation_error', {
        message: `The server has the maximum of ${FAULTS_MAX} fault rules. Remove some first.`,
      })
  }
}

/** A rule of the kit in the form of the control API. */
function writtenOf({ retryAfter, headers = {}, operation, ...rest }: FaultRule): WireRule {
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const patterns = Object.entries(headers).flatMap(([name, value]) => (value instanceof RegExp ? [[name, value.source]] : []))
  return {
    ...rest,
    ...(operation !== undefined && { operation: typeof operation === 'string' ? operation : [...operation] }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(texts.length > 0 && { headers: Object.fromEntries(texts) as Record<string, string> }),
    ...(patterns.length > 0 && { header_patterns: Object.fromEntries(patterns) as Record<string, string> }),
  }
}

function withoutCondition(rule: WireRule): Omit<WireRule, keyof Schemas['FaultCondition']> {
  const { operation: _operation, token: _token, headers: _headers, header_patterns: _patterns, every: _every, ...rest } = rule
  const { after: _after, next: _next, ...effect } = rest
  return effect
}

function conditionOf(written: Schemas['FaultCondition']): FaultCondition {
  const { operation, token, headers = {}, header_patterns: patterns = {}, every, after, next } = written
  for (const name of Object.keys(patterns))
    if (Object.hasOwn(headers, name)) throw validationError(`body.header_patterns.${name}`, 'not present', patterns[name])
  const found = Object.entries(patterns).map(([name, pattern]) => [name, patternOf(name, pattern)] as const)
  const condition = { operation, token, every, after, next, headers: { ...headers, ...Object.fromEntries(found) } }
  // Ids of operations are checked with the rule.
  return Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== undefined)) as FaultCondition
}

/** A pattern that matches in linear time. @throws ServiceError `validation_error` if it cannot be compiled */
function patternOf(name: string, pattern: string): Pick<RegExp, 'test'> {
  try {
    const compiled = RE2JS.compile(pattern)
    return { test: (text) => compiled.matcher(text).find() }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw validationError(`body.header_patterns.${name}`, 'a regular expression', pattern)
  }
}

const OPTIONS = ['retry_after', 'delay', 'jitter', 'sunset'] as const
type PresetName = Preset['preset']

/** The options of each preset, in addition to its conditions. */
const TAKEN: Readonly<Record<PresetName, readonly (typeof OPTIONS)[number][]>> = {
  rate_limited: ['retry_after'],
  overloaded: ['retry_after'],
  flaky: [],
  slow: ['delay', 'jitter'],
  version_sunset: ['sunset'],
}

const PRESETS: Readonly<Record<PresetName, (faults: Faults, preset: Preset, condition: FaultCondition) => unknown>> = {
  rate_limited: (faults, { retry_after: retryAfter }, condition) => faults.rateLimited(defined({ ...condition, retryAfter })),
  overloaded: (faults, { retry_after: retryAfter }, condition) => faults.overloaded(defined({ ...condition, retryAfter })),
  flaky: (faults, _preset, condition) => faults.flaky(condition),
  slow: (faults, { delay, jitter }, condition) => faults.slow(defined({ ...condition, delay, jitter })),
  // The date of the preset is checked with the rule.
  version_sunset: (faults, { sunset }, condition) => faults.versionSunset(sunset as NonNullable<FaultRule['sunset']>, condition),
}

function requireOptions(preset: Preset): void {
  for (const name of OPTIONS) {
    const isTaken = TAKEN[preset.preset].includes(name)
    if (!isTaken && preset[name] !== undefined) throw validationError(`body.${name}`, 'not present', preset[name])
  }
  if (preset.preset === 'version_sunset' && preset.sunset === undefined)
    throw validationError('body.sunset', 'defined', undefined)
}

function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

/** Turns errors about a rule into errors about the body, with the names of the control API. */
function atItsPlace(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    const place = error.place === 'retryAfter' ? 'retry_after' : error.place
    throw validationError(`body.${place}`, error.expectation, error.value)
  }
}
