import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parseConfig } from '../../server/config.ts'
import { settings } from '../../server/config/settings.ts'
import { makeProgram } from '../../cli/src/program.ts'
import { isObject, type Json, type JsonObject } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'

const FOLDER = 'kubernetes'
const files = readdirSync(FOLDER)
const objects = files.flatMap((name) => parsed(readFileSync(join(FOLDER, name), 'utf8')))

function parsed(text: string): JsonObject[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as JsonObject
  })
}

/** The value at a path of keys; undefined if there is none. */
function valueAt(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((found, key) => (found as JsonObject | undefined)?.[key], value)
}

function ofKind(kind: string): JsonObject {
  const found = objects.filter((object) => object['kind'] === kind)
  expect(found, kind).toHaveLength(1)
  return found[0] ?? {}
}

const [config, secret] = [ofKind('ConfigMap'), ofKind('Secret')]
const environment = { ...(config['data'] as object), ...(secret['stringData'] as object) } as Readonly<Record<string, string>>
const podOf = (kind: 'Deployment' | 'Job'): Json | undefined => valueAt(ofKind(kind), 'spec', 'template', 'spec')
const containerOf = (kind: 'Deployment' | 'Job'): Json | undefined => valueAt(podOf(kind), 'containers', 0)

describe('the Kubernetes manifests', () => {
  it.each(files)('%s states that it has not been run', (name) => {
    expect(readFileSync(join(FOLDER, name), 'utf8').split('\n').slice(0, 5).join(' ')).toMatch(/ha(?:s|ve) not been run/)
  })

  it('set only existing settings, with values that the service accepts', () => {
    for (const name of Object.keys(environment)) expect(Object.keys(settings)).toContain(name)
    expect(parseConfig(environment)).toMatchObject({ port: 4000, host: '0.0.0.0' })
  })

  it('give the settings and the secrets to each pod, and no variables of other services', () => {
    const names = [config, secret].map((object) => valueAt(object, 'metadata', 'name'))
    for (const kind of ['Deployment', 'Job'] as const) {
      const container = containerOf(kind)
      expect([
        valueAt(container, 'envFrom', 0, 'configMapRef', 'name'),
        valueAt(container, 'envFrom', 1, 'secretRef', 'name'),
      ]).toEqual(names)
      expect(valueAt(podOf(kind), 'enableServiceLinks')).toBe(false)
    }
  })

  it('run existing commands of one image', () => {
    const commands = makeProgram().commands.map((command) => command.name())
    for (const kind of ['Deployment', 'Job'] as const) expect(commands).toContain(valueAt(containerOf(kind), 'args', 0))
    expect(valueAt(containerOf('Job'), 'image')).toBe(valueAt(containerOf('Deployment'), 'image'))
  })

  it('send requests to the port on which the service listens', () => {
    const port = valueAt(containerOf('Deployment'), 'ports', 0)
    expect(String(valueAt(port, 'containerPort'))).toBe(environment['PORT'])
    expect(valueAt(ofKind('Service'), 'spec', 'ports', 0, 'targetPort')).toBe(valueAt(port, 'name'))
    const labels = valueAt(ofKind('Deployment'), 'spec', 'template', 'metadata', 'labels')
    expect(valueAt(ofKind('Service'), 'spec', 'selector')).toEqual(labels)
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(valueAt(ofKind(kind), 'spec', 'selector', 'matchLabels')).toEqual(labels)
    expect(valueAt(ofKind('Job'), 'spec', 'template', 'metadata', 'labels')).not.toEqual(labels)
  })

  it('probe paths that respond with 200 over plain HTTP', async () => {
    const { BASE_URL = '', TRUST_PROXY = '' } = environment
    const server = await startTestServer({ DATABASE_URL: 'sqlite::memory:', BASE_URL, TRUST_PROXY })
    try {
      for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const probe = valueAt(containerOf('Deployment'), name, 'httpGet')
        expect(valueAt(probe, 'port')).toBe(valueAt(containerOf('Deployment'), 'ports', 0, 'name'))
        expect((await fetch(server.url + String(valueAt(probe, 'path')))).status, name).toBe(200)
      }
    } finally {
      await server.stop()
    }
  })

  it('stop pods later than the service stops itself, and keep one when nodes are drained', () => {
    const pause = Number(valueAt(containerOf('Deployment'), 'lifecycle', 'preStop', 'exec', 'command', 1))
    const seconds = Number(valueAt(podOf('Deployment'), 'terminationGracePeriodSeconds'))
    expect(seconds).toBeGreaterThanOrEqual(pause + Number(environment['STOP_SECONDS_MAX']) + 5)
    const kept = Number(valueAt(ofKind('PodDisruptionBudget'), 'spec', 'minAvailable'))
    expect(Number(valueAt(ofKind('Deployment'), 'spec', 'replicas'))).toBeGreaterThan(kept)
    expect(kept).toBeGreaterThan(0)
  })

  it.each(['Deployment', 'Job'] as const)('run the %s without privileges and with a read-only file system', (kind) => {
    expect(podOf(kind)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(valueAt(containerOf(kind), 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const mount = valueAt(containerOf(kind), 'volumeMounts', 0)
    expect(mount).toEqual({ name: valueAt(podOf(kind), 'volumes', 0, 'name'), mountPath: '/tmp' })
    expect(isObject(valueAt(podOf(kind), 'volumes', 0, 'emptyDir'))).toBe(true)
  })
})
