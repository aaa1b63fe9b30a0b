import { join } from 'node:path'
import { BODIES, type Kit } from './kit.ts'
import { openapiGeneratorKits } from './openapi_generator.ts'

/** The folder of the programs that use the clients. */
export const programsFolder = join(import.meta.dirname, 'programs')

/** All kits, in the order of the guide. */
export const kits: readonly Kit[] = [
  {
    name: 'openapi-python-client',
    version: '0.29.1',
    language: 'Python',
    needs: ['python3'],
    form: 'openapi.sdk31.yaml',
    files: { 'program.py': { program: 'openapi_python_client.py' }, ...BODIES },
    install: ['python3 -m venv python', 'python/bin/pip install --quiet openapi-python-client==0.29.1'],
    generate: ['python/bin/openapi-python-client generate --path openapi.sdk31.yaml --output-path client --overwrite'],
    compile: ['python/bin/python -m compileall -q client/workspace_service_client'],
    run: 'PYTHONPATH=client python/bin/python program.py',
  },
  {
    name: 'oapi-codegen',
    version: '2.8.2',
    language: 'Go',
    faults: [
      {
        what: 'whether the constants of an enum are prefixed with its name depends on the other enums',
        workaround: '`always-prefix-enum-values`',
        issue: 'https://github.com/oapi-codegen/oapi-codegen/issues/625',
      },
    ],
    needs: ['go'],
    form: 'openapi.sdk.yaml',
    files: {
      'main.go': { program: 'oapi_codegen.go' },
      'go.mod': { text: 'module example\n\ngo 1.24\n' },
      'oapi-codegen.yaml': {
        text: [
          'package: workspace',
          'output: workspace/workspace.go',
          'generate: { client: true, models: true }',
          'compatibility: { always-prefix-enum-values: true }\n',
        ].join('\n'),
      },
      ...BODIES,
    },
    install: ['GOBIN=$PWD/bin go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
    generate: ['mkdir -p workspace', 'bin/oapi-codegen -config oapi-codegen.yaml openapi.sdk.yaml'],
    compile: ['go mod tidy', 'go build -p 1 -o program .'],
    run: './program',
  },
  {
    name: '@hey-api/openapi-ts',
    version: '0.99.0',
    language: 'TypeScript',
    needs: ['node', 'npm'],
    form: 'openapi.sdk.yaml',
    files: {
      'program.ts': { program: 'hey_api.ts' },
      'package.json': { text: '{ "private": true, "type": "module" }\n' },
    },
    install: [
      'npm install --ignore-scripts --no-audit --no-fund @hey-api/openapi-ts@0.99.0 typescript@5.9.3 tsx@4.20.6 @types/node@24.19.2',
    ],
    generate: ['npx openapi-ts --input openapi.sdk.yaml --output workspace --client @hey-api/client-fetch'],
    compile: [
      'npx tsc --strict --noEmit --skipLibCheck --target esnext --module esnext --moduleResolution bundler --types node program.ts',
    ],
    run: 'npx tsx program.ts',
  },
  {
    name: 'orval',
    version: '8.38.0',
    language: 'TypeScript',
    needs: ['node', 'npm'],
    form: 'openapi.sdk.yaml',
    files: {
      'orval.config.mjs': { program: 'orval.config.mjs' },
      'send.ts': { program: 'orval_send.ts' },
      'program.ts': { program: 'orval.ts' },
      'package.json': { text: '{ "private": true, "type": "module" }\n' },
    },
    install: ['npm install --ignore-scripts --no-audit --no-fund orval@8.38.0 typescript@5.9.3 tsx@4.20.6 @types/node@24.19.2'],
    generate: ['npx orval --config orval.config.mjs'],
    compile: [
      'npx tsc --strict --noEmit --skipLibCheck --target esnext --module esnext --moduleResolution bundler --allowImportingTsExtensions --types node program.ts',
    ],
    run: 'npx tsx program.ts',
  },
  ...openapiGeneratorKits,
]
