import { closest, distance } from 'fastest-levenshtein'

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting in the environment, with the name that was used. */
export interface GivenSetting {
  readonly name: string
  readonly text: string
}

const PREFIX = 'WORKSPACE_'
/** A name that differs more than this from a setting's is not treated as a typing error. */
const TYPO_DISTANCE_MAX = 4
/** Kubernetes and Docker put the address of a service called `workspace…` into the environment of other services. */
const NAME_OF_PLATFORM = /_(?:SERVICE_HOST$|SERVICE_PORT(?:_|$)|PORT$|PORT_\d+_(?:TCP|UDP)(?:_|$))/
const VALUE_OF_PLATFORM = /^(?:tcp|udp):\/\//

/**
 * Finds the settings that are not blank, by their names without the prefix. If a setting is given with and without the prefix, the name
 * with the prefix wins.
 * @param problems receives a message for each unknown name with the prefix
 */
export function findSettings(
  environment: Environment,
  names: readonly string[],
  problems: string[],
): ReadonlyMap<string, GivenSetting> {
  const given = new Map<string, GivenSetting>()
  for (const name of names) {
    const found = [PREFIX + name, name].map((spelled) => ({ name: spelled, text: environment[spelled]?.trim() ?? '' }))
    const counts = found.find((setting) => setting.text !== '' && !isSetByOthers(setting))
    if (counts) given.set(name, counts)
  }
  problems.push(...unknownNames(environment, names))
  return given
}

/** The environment with settings that override all others. Undefined values override nothing. */
export function withOverrides(environment: Environment, values: Environment): Environment {
  const set = Object.entries(values).filter(([, text]) => text !== undefined)
  return { ...environment, ...Object.fromEntries(set.map(([name, text]) => [PREFIX + name, text])) }
}

/** The environment without these settings. */
export function withoutSettings(environment: Environment, names: readonly string[]): Environment {
  const left = new Set(names.flatMap((name) => [name, PREFIX + name]))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)))
}

/** The part of the environment that contains these settings. */
export function onlySettings(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => [name, PREFIX + name].map((spelled) => [spelled, environment[spelled]])))
}

function isSetByOthers({ name, text }: GivenSetting): boolean {
  // Bundlers and test runners use it for the path of their pages.
  if (name === 'BASE_URL') return text.startsWith('/')
  return name === `${PREFIX}PORT` && VALUE_OF_PLATFORM.test(text)
}

function unknownNames(environment: Environment, names: readonly string[]): string[] {
  const known = names.map((name) => PREFIX + name)
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !known.includes(name) && !NAME_OF_PLATFORM.test(name),
  )
  return unknown.map((name) => {
    const likely = closest(name, known)
    const isLikely = distance(name, likely) <= TYPO_DISTANCE_MAX
    return `${name} is not a setting. ${isLikely ? `Did you mean ${likely}?` : 'OPERATIONS.md lists all settings.'}`
  })
}
