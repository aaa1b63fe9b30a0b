import { readFileSync } from 'node:fs'
import type { IFlattenedRuleSet } from 'dependency-cruiser'
import { workspaces } from '../../scripts/workspaces.ts'

interface Layer {
  readonly layer: string
  /** Files outside its folders that belong to the layer, too. */
  readonly also?: readonly string[]
  /** Names of the layers that it may import from. */
  readonly imports: readonly string[]
  readonly contains: string
}

/** A folder of server/domain/. All other code imports from it through its index.ts. */
interface Module {
  readonly module: string
  /** Modules above it in the list that it may import from. */
  readonly imports: readonly string[]
  readonly contains: string
}

/** layers.json: who may import whom. The rules and the tables of CONTRIBUTING.md are both made from it. */
const { layers, modules, packages } = JSON.parse(readFileSync(new URL('../../layers.json', import.meta.url), 'utf8')) as {
  readonly layers: readonly Layer[]
  readonly modules: readonly Module[]
  /** Packages that only some layers import. */
  readonly packages: readonly { readonly package: string; readonly layers: readonly string[] }[]
}

const nameOf = ({ layer }: Layer): string => layer.replace(/^server\//, '').replace(/\/$|[.]ts$/, '')
const pathsOf = ({ layer, also = [] }: Layer): string[] => [layer, ...also]
const pattern = (paths: readonly string[]): string => `^(${paths.map((path) => path.replaceAll('.', '[.]')).join('|')})`

/** Folders inside a layer's folder that are layers of their own. */
function pathsOfInnerLayers(layer: Layer): string[] {
  const others = layers.filter((other) => other !== layer).flatMap(pathsOf)
  return others.filter((path) => pathsOf(layer).some((own) => path.startsWith(own)))
}

function belongsTo(layer: Layer): { path: string; pathNot?: string } {
  const inner = pathsOfInnerLayers(layer)
  return { path: pattern(pathsOf(layer)), ...(inner.length === 0 ? {} : { pathNot: pattern(inner) }) }
}

function pathsOfImports(layer: Layer): string[] {
  return layer.imports.flatMap((name) => {
    const imported = layers.find((other) => nameOf(other) === name)
    if (!imported) throw new Error(`layers.json: ${layer.layer} imports ${name}, which is not a layer`)
    return pathsOf(imported)
  })
}

const DOMAIN = 'server/domain/'

/** Modules are imported through their index, except inside the module itself. */
function moduleRules(): NonNullable<IFlattenedRuleSet['forbidden']> {
  const entrances = (names: readonly string[]): string[] => names.map((name) => `${DOMAIN}${name}/index.ts`)
  const inside = modules.map(({ module, imports }, index) => {
    const below = modules.slice(0, index).map((other) => other.module)
    const unknown = imports.filter((name) => !below.includes(name))
    if (unknown.length > 0) throw new Error(`layers.json: ${module} imports ${unknown.join()}, which is not above it in the list`)
    return {
      name: `${DOMAIN}${module}/ imports the index of ${imports.join(', ') || 'no module'}`,
      severity: 'error' as const,
      from: { path: pattern([`${DOMAIN}${module}/`]) },
      to: { path: pattern([DOMAIN]), pathNot: pattern([`${DOMAIN}${module}/(?!index.ts)`, ...entrances(imports)]) },
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

export function moduleOf(file: string): string | undefined {
  return modules.find(({ module }) => file.startsWith(`${DOMAIN}${module}/`))?.module
}

/** Forbidden imports. Types count like values, and there are no exceptions. */
export function importRules(): NonNullable<IFlattenedRuleSet['forbidden']> {
  return [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    ...layers.map((layer) => ({
      name: `${layer.layer} imports ${layer.imports.join(', ') || 'nothing'}`,
      severity: 'error' as const,
      from: belongsTo(layer),
      to: {
        path: `^(${[...workspaces, 'scripts', 'generated', 'spec', 'tests', 'bench'].join('|')})/`,
        pathNot: pattern([...pathsOf(layer), ...pathsOfImports(layer)]),
      },
    })),
    ...moduleRules(),
    ...packages.map(({ package: name, layers: only }) => ({
      name: `${name} is imported in ${only.join(', ')} only`,
      severity: 'error' as const,
      from: { path: `^(${workspaces.join('|')})/`, pathNot: pattern(only) },
      to: { path: `^${name}$|^${name.replace('node:', '')}$|node_modules/${name}/` },
    })),
  ]
}

export function layersOf(file: string): string[] {
  const fits = ({ path, pathNot }: ReturnType<typeof belongsTo>): boolean =>
    new RegExp(path).test(file) && (pathNot === undefined || !new RegExp(pathNot).test(file))
  return layers.filter((layer) => fits(belongsTo(layer))).map(({ layer }) => layer)
}

/** The table of modules in CONTRIBUTING.md. */
export function tableOfModules(): string {
  return [
    '| Module | Contains |',
    '|---|---|',
    ...modules.map(({ module, contains }) => `| \`${module}/\` | ${contains} |`),
  ].join('\n')
}

/** The table of folders in CONTRIBUTING.md. */
export function tableOfLayers(): string {
  const rows = layers.map((layer) => {
    const name = pathsOf(layer)
      .map((path) => `\`${path}\``)
      .join(', ')
    return `| ${name} | ${layer.contains} |`
  })
  return ['| Folder | Contains |', '|---|---|', ...rows].join('\n')
}
