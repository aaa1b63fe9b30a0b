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

/** rooms.json: who may import whom. The rules and the table of CONTRIBUTING.md are both made from it. */
const { rooms, packages } = JSON.parse(readFileSync(new URL('../../rooms.json', import.meta.url), 'utf8')) as {
  readonly rooms: readonly Room[]
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

/** The table of CONTRIBUTING.md. */
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
