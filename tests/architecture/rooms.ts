import { readFileSync } from 'node:fs'
import type { IFlattenedRuleSet } from 'dependency-cruiser'
import { workspaces } from '../../scripts/workspaces.ts'

interface Room {
  readonly room: string
  /** Files that belong to it too. */
  readonly also?: readonly string[]
  /** Names of the rooms that it may import from. */
  readonly knows: readonly string[]
  readonly does: string
}

/** A folder of server/domain/. All other code imports from it through its index.ts. */
interface Module {
  readonly module: string
  /** Modules above it in the list that it may import from. */
  readonly knows: readonly string[]
  readonly does: string
}

/** rooms.json: who may import whom. The rules and the tables of CONTRIBUTING.md are both made from it. */
const { rooms, modules, packages } = JSON.parse(readFileSync(new URL('../../rooms.json', import.meta.url), 'utf8')) as {
  readonly rooms: readonly Room[]
  readonly modules: readonly Module[]
  /** Packages that only some rooms import. */
  readonly packages: readonly { readonly package: string; readonly rooms: readonly string[] }[]
}

const nameOf = ({ room }: Room): string => room.replace(/^server\//, '').replace(/\/$|[.]ts$/, '')
const pathsOf = ({ room, also = [] }: Room): string[] => [room, ...also]
const pattern = (paths: readonly string[]): string => `^(${paths.map((path) => path.replaceAll('.', '[.]')).join('|')})`

/** What lies in the folder of a room but is a room of its own. */
function pathsOfInnerRooms(room: Room): string[] {
  const others = rooms.filter((other) => other !== room).flatMap(pathsOf)
  return others.filter((path) => pathsOf(room).some((own) => path.startsWith(own)))
}

function belongsTo(room: Room): { path: string; pathNot?: string } {
  const inner = pathsOfInnerRooms(room)
  return { path: pattern(pathsOf(room)), ...(inner.length === 0 ? {} : { pathNot: pattern(inner) }) }
}

function pathsKnown(room: Room): string[] {
  return room.knows.flatMap((name) => {
    const known = rooms.find((other) => nameOf(other) === name)
    if (!known) throw new Error(`rooms.json: ${room.room} knows ${name}, which is no room`)
    return pathsOf(known)
  })
}

const DOMAIN = 'server/domain/'

/** Modules are entered through their index; inside of a module, nothing imports it. */
function moduleRules(): NonNullable<IFlattenedRuleSet['forbidden']> {
  const entrances = (names: readonly string[]): string[] => names.map((name) => `${DOMAIN}${name}/index.ts`)
  const inside = modules.map(({ module, knows }, index) => {
    const below = modules.slice(0, index).map((other) => other.module)
    const unknown = knows.filter((name) => !below.includes(name))
    if (unknown.length > 0) throw new Error(`rooms.json: ${module} knows ${unknown.join()}, which is not above it in the list`)
    return {
      name: `${DOMAIN}${module}/ knows the index of ${knows.join(', ') || 'no module'}`,
      severity: 'error' as const,
      from: { path: pattern([`${DOMAIN}${module}/`]) },
      to: { path: pattern([DOMAIN]), pathNot: pattern([`${DOMAIN}${module}/(?!index.ts)`, ...entrances(knows)]) },
    }
  })
  const outside = {
    name: 'modules of the domain are imported through their index',
    severity: 'error' as const,
    from: { pathNot: pattern([DOMAIN]) },
    to: { path: pattern([DOMAIN]), pathNot: pattern(entrances(modules.map(({ module }) => module))) },
  }
  return [...inside, outside]
}

/** The module of a file of the domain. */
export function moduleOf(file: string): string | undefined {
  return modules.find(({ module }) => file.startsWith(`${DOMAIN}${module}/`))?.module
}

/** What no import may do. Types count as everything else does, and there is no exception. */
export function importRules(): NonNullable<IFlattenedRuleSet['forbidden']> {
  return [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    ...rooms.map((room) => ({
      name: `${room.room} knows ${room.knows.join(', ') || 'nothing'}`,
      severity: 'error' as const,
      from: belongsTo(room),
      to: {
        path: `^(${[...workspaces, 'scripts', 'generated', 'spec', 'tests', 'bench'].join('|')})/`,
        pathNot: pattern([...pathsOf(room), ...pathsKnown(room)]),
      },
    })),
    ...moduleRules(),
    ...packages.map(({ package: name, rooms: only }) => ({
      name: `${name} is imported in ${only.join(', ')} only`,
      severity: 'error' as const,
      from: { path: `^(${workspaces.join('|')})/`, pathNot: pattern(only) },
      to: { path: `^${name}$|^${name.replace('node:', '')}$|node_modules/${name}/` },
    })),
  ]
}

/** Rooms that a file belongs to. */
export function roomsOf(file: string): string[] {
  const fits = ({ path, pathNot }: ReturnType<typeof belongsTo>): boolean =>
    new RegExp(path).test(file) && (pathNot === undefined || !new RegExp(pathNot).test(file))
  return rooms.filter((room) => fits(belongsTo(room))).map(({ room }) => room)
}

/** The table of modules in CONTRIBUTING.md. */
export function tableOfModules(): string {
  return ['| Module | Contains |', '|---|---|', ...modules.map(({ module, does }) => `| \`${module}/\` | ${does} |`)].join('\n')
}

/** The table of folders in CONTRIBUTING.md. */
export function tableOfRooms(): string {
  const rows = rooms.map((room) => {
    const name = pathsOf(room)
      .map((path) => `\`${path}\``)
      .join(', ')
    return `| ${name} | ${room.does} |`
  })
  const only = packages.map(
    ({ package: name, rooms: paths }) => `\`${name}\` in ${paths.map((path) => `\`${path}\``).join(' and ')}`,
  )
  return ['| Folder | Contains |', '|---|---|', ...rows, '', `Packages that only some folders import: ${only.join(', ')}.`].join(
    '\n',
  )
}
