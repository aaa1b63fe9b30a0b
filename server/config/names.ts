import { closest, distance } from 'fastest-levenshtein'

export type Environment = Readonly<Record<string, string | undefined>>

/** What somebody set, and under which name. */
export interface GivenSetting {
  readonly name: string
  readonly text: string
}

const PREFIX = 'WORKSPACE_'
/** A name that is further from a setting's is nothing like it. */
const LETTERS_MISTAKEN_MAX = 4
/** Kubernetes and Docker put addresses of a service called `workspace…` into the environment of others. */
const NAME_OF_PLATFORM = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT|PORT_\d+_(?:TCP|UDP)(?:_\w+)?)$/
const VALUE_OF_PLATFORM = /^(?:tcp|udp):\/\//

/**
 * Finds the settings that are not blank, by their names without the prefix. Each may be set with the prefix, which counts, or without.
 * @param problems receives a message for each name with the prefix that is no setting's
 */
export function givenSettings(
  environment: Environment,
  names: readonly string[],
  problems: string[],
): ReadonlyMap<string, GivenSetting> {
  const given = new Map<string, GivenSetting>()
  for (const name of names) {
    const found = [PREFIX + name, name].map((spelled) => ({ name: spelled, text: environment[spelled]?.trim() ?? '' }))
    const counts = found.find((setting) => setting.text !== '' && !isOfOthers(setting))
    if (counts) given.set(name, counts)
  }
  problems.push(...unknownNames(environment, names))
  return given
}

/** The environment with settings that count whatever else is set. What is undefined is left as it was. */
export function overriding(environment: Environment, values: Environment): Environment {
  const set = Object.entries(values).filter(([, text]) => text !== undefined)
  return { ...environment, ...Object.fromEntries(set.map(([name, text]) => [PREFIX + name, text])) }
}

/** The environment as far as it sets these. */
export function onlySettings(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => [name, PREFIX + name].map((spelled) => [spelled, environment[spelled]])))
}

function isOfOthers({ name, text }: GivenSetting): boolean {
  // Bundlers and test runners say by it where their pages are.
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
    const isLikely = distance(name, likely) <= LETTERS_MISTAKEN_MAX
    return `There is no setting ${name}. ${isLikely ? `Did you mean ${likely}?` : 'OPERATIONS.md lists all settings.'}`
  })
}
