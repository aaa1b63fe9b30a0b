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
    ['a call of a model may exceed its time limit', 'const MODEL_SECONDS_MAX = 600', 'const MODEL_SECONDS_MAX = 601'],
    ['errors about settings contain secrets', '      setting.isSecret\n', '      setting.isSecret && text === undefined\n'],
    [
      'errors about settings do not say which name was used',
      'const { name, text } = given.get(key) ?? { name: key, text: setting.fallback }',
      'const { text, name = key } = { ...(given.get(key) ?? { text: setting.fallback }), name: undefined }',
    ],
  ]),
  ...faultsIn('config/environment.ts', settingsTests, [
    [
      'settings without the prefix take precedence',
      '[PREFIX + name, name].map((spelled) => ({',
      '[name, PREFIX + name].map((spelled) => ({',
    ],
    [
      'variables that other programs set count as settings',
      "setting.text !== '' && !isSetByOthers(setting)",
      "setting.text !== ''",
    ],
    ['blank settings count as set', "setting.text !== '' && !isSetByOthers(setting)", '!isSetByOthers(setting)'],
    ['unknown settings are ignored', '  problems.push(...unknownNames(environment, names))\n', ''],
    ['a misspelled setting gets no suggestion', 'distance(name, likely) <= TYPO_DISTANCE_MAX', 'distance(name, likely) < 1'],
    ['variables of container platforms are refused', ' && !NAME_OF_PLATFORM.test(name),\n', ',\n'],
  ]),
  ...faultsIn('config/parsers.ts', settingsTests, [
    ['the last of several models is the default', 'const byName = new Map(pairs)', 'const byName = new Map(pairs.toReversed())'],
    [
      'a model that is named twice is accepted',
      'areGood && pairs.length > 0 && byName.size === pairs.length ? byName',
      'areGood && pairs.length > 0 ? byName',
    ],
    ['the name of a model ends at its last equals sign', "remote.join('=').trim()", "remote[0]?.trim() ?? ''"],
    [
      'headers whose values are not texts are ignored',
      'areGood && pairs.length === Object.keys(value).length ? Object.fromEntries(pairs)',
      'areGood ? Object.fromEntries(pairs)',
    ],
    ['numbers may be too large', 'Number(text) >= from && Number(text) <= to ?', 'Number(text) >= from ?'],
    ['an origin may have a path', '&& new URL(text).origin === text', "&& new URL(text).origin !== 'null'"],
    ['an address may contain a user', ' && !url.username && !url.password\n', '\n'],
    ['links contain two slashes after the host', "url.href.replace(/(?<!\\/)\\/+$/, '')", 'url.href'],
  ]),
  ...faultsIn('config.ts', settingsTests, [
    [
      'a model without an address is accepted',
      '(values.AGENT_MODEL_URL === undefined) !== (values.AGENT_MODEL_NAME === undefined)',
      'values.AGENT_MODEL_URL !== undefined && values.AGENT_MODEL_NAME === undefined',
    ],
    [
      'the key of a model is not passed on',
      'return { url, models, key, headers,',
      'return { url, models, key: undefined, headers,',
    ],
    [
      'a transcription key without an address is accepted',
      'values.TRANSCRIPTION_KEY !== undefined && values.TRANSCRIPTION_URL === undefined',
      'values.TRANSCRIPTION_KEY === undefined && values.TRANSCRIPTION_URL === undefined && values.WORKERS < 0',
    ],
    [
      'the rate limit of workspaces is twice the default',
      'const CONNECTIONS_PER_WORKSPACE = 10',
      'const CONNECTIONS_PER_WORKSPACE = 20',
    ],
    ['the rate limit of a workspace cannot be set', 'workspace: workspace ?? {', 'workspace: {'],
    [
      'processes share a database in memory',
      "values.WORKERS > 1 && values.DATABASE_URL.engine === 'sqlite' && values.DATABASE_URL.path === ':memory:'",
      "values.WORKERS > 256 && values.DATABASE_URL.engine === 'sqlite' && values.DATABASE_URL.path === ':memory:'",
    ],
    [
      'processes may share temporary files',
      'values.WORKERS > 1 && values.FILES_URL?.kind',
      'values.WORKERS > 256 && values.FILES_URL?.kind',
    ],
    [
      'other machines can request faults',
      '(!isLoopback(values.HOST) || values.TRUST_PROXY !== false)',
      '!isLoopback(values.HOST)',
    ],
    [
      'plain HTTP is served to other machines',
      '!isLoopback(values.HOST) && values.TRUST_PROXY === false &&',
      'isLoopback(values.HOST) && values.TRUST_PROXY !== false &&',
    ],
    [
      'only the first invalid setting is reported',
      'throw new ConfigError(problems)',
      'throw new ConfigError(problems.slice(0, 1))',
    ],
    [
      'a metrics token is accepted although metrics need none',
      "values.METRICS !== 'token' && values.METRICS_TOKEN !== undefined",
      "values.METRICS === 'off' && values.METRICS_TOKEN !== undefined",
    ],
  ]),
]
