import { faultsIn, type Fault } from '../fault.ts'

const settingsTests = ['process/once/settings.test.ts']

/** The configuration: accepted settings, their meaning, and errors. */
export const settings: readonly Fault[] = [
  ...faultsIn('config/settings.ts', settingsTests, [
    ['streams are longer than clients wait', 'const STREAM_SECONDS_MAX = 300', 'const STREAM_SECONDS_MAX = 301'],
    ['streams end early', "STREAM_SECONDS_MAX: { fallback: '300'", "STREAM_SECONDS_MAX: { fallback: '60'"],
    [
      'streams are silent for too long',
      "STREAM_HEARTBEAT_SECONDS: { fallback: '15'",
      "STREAM_HEARTBEAT_SECONDS: { fallback: '50'",
    ],
    ['a call of a model may take longer', 'const MODEL_SECONDS_MAX = 600', 'const MODEL_SECONDS_MAX = 601'],
    ['secrets stand in complaints', '      setting.isSecret\n', '      setting.isSecret && text === undefined\n'],
    [
      'a complaint does not say which name was used',
      'const { name, text } = given.get(key) ?? { name: key, text: setting.fallback }',
      'const { text, name = key } = { ...(given.get(key) ?? { text: setting.fallback }), name: undefined }',
    ],
  ]),
  ...faultsIn('config/environment.ts', settingsTests, [
    ['names without the prefix win', '[PREFIX + name, name].map((spelled) => ({', '[name, PREFIX + name].map((spelled) => ({'],
    ['what others have set counts', "setting.text !== '' && !isSetByOthers(setting)", "setting.text !== ''"],
    ['what is blank counts', "setting.text !== '' && !isSetByOthers(setting)", '!isSetByOthers(setting)'],
    ['wrong names are passed over', '  problems.push(...unknownNames(environment, names))\n', ''],
    ['a slip is not guessed', 'distance(name, likely) <= TYPO_DISTANCE_MAX', 'distance(name, likely) < 1'],
    ['container platforms set wrong names', ' && !NAME_OF_PLATFORM.test(name),\n', ',\n'],
  ]),
  ...faultsIn('config/parsers.ts', settingsTests, [
    ['the last of several models is the default', 'const byName = new Map(pairs)', 'const byName = new Map(pairs.toReversed())'],
    [
      'a model that is named twice is taken',
      'areGood && pairs.length > 0 && byName.size === pairs.length ? byName',
      'areGood && pairs.length > 0 ? byName',
    ],
    ['a name of a model ends at its equals sign', "remote.join('=').trim()", "remote[0]?.trim() ?? ''"],
    [
      'headers that are no texts are left out',
      'areGood && pairs.length === Object.keys(value).length ? Object.fromEntries(pairs)',
      'areGood ? Object.fromEntries(pairs)',
    ],
    ['numbers may be too large', 'Number(text) >= from && Number(text) <= to ?', 'Number(text) >= from ?'],
    ['an origin may have a path', '&& new URL(text).origin === text', "&& new URL(text).origin !== 'null'"],
    ['an address has a user', ' && !url.username && !url.password\n', '\n'],
    ['links begin with two slashes', "url.href.replace(/(?<!\\/)\\/+$/, '')", 'url.href'],
  ]),
  ...faultsIn('config.ts', settingsTests, [
    [
      'a model without an address is passed over',
      '(values.AGENT_MODEL_URL === undefined) !== (values.AGENT_MODEL_NAME === undefined)',
      'values.AGENT_MODEL_URL !== undefined && values.AGENT_MODEL_NAME === undefined',
    ],
    ['the key of a model is forgotten', 'return { url, models, key, headers,', 'return { url, models, key: undefined, headers,'],
    [
      'a key for no transcription is passed over',
      'values.TRANSCRIPTION_KEY !== undefined && values.TRANSCRIPTION_URL === undefined',
      'values.TRANSCRIPTION_KEY === undefined && values.TRANSCRIPTION_URL === undefined && values.WORKERS < 0',
    ],
    ['workspaces have twice their budget', 'const CONNECTIONS_PER_WORKSPACE = 10', 'const CONNECTIONS_PER_WORKSPACE = 20'],
    ['the budget of a workspace cannot be set', 'workspace: workspace ?? {', 'workspace: {'],
    [
      'processes share a database in memory',
      "values.WORKERS > 1 && values.DATABASE_URL.engine === 'sqlite' && values.DATABASE_URL.path === ':memory:'",
      "values.WORKERS > 256 && values.DATABASE_URL.engine === 'sqlite' && values.DATABASE_URL.path === ':memory:'",
    ],
    [
      'processes share files that go with one',
      'values.WORKERS > 1 && values.FILES_URL?.kind',
      'values.WORKERS > 256 && values.FILES_URL?.kind',
    ],
    [
      'faults can be asked for from other machines',
      '(!isLoopback(values.HOST) || values.TRUST_PROXY !== false)',
      '!isLoopback(values.HOST)',
    ],
    [
      'plain HTTP is served to other machines',
      '!isLoopback(values.HOST) && values.TRUST_PROXY === false &&',
      'isLoopback(values.HOST) && values.TRUST_PROXY !== false &&',
    ],
    [
      'the first wrong setting hides the others',
      'throw new ConfigError(problems)',
      'throw new ConfigError(problems.slice(0, 1))',
    ],
    [
      'a token for metrics that everybody may read',
      "values.METRICS !== 'token' && values.METRICS_TOKEN !== undefined",
      "values.METRICS === 'off' && values.METRICS_TOKEN !== undefined",
    ],
  ]),
]
