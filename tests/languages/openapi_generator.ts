import { BODIES, type Fault, type Kit } from './kit.ts'

const VERSION = '7.24.0'
const ARCHIVE = `openapi-generator-cli-${VERSION}.jar`
const CHECKSUM = '4b83ccc6fd43056c8c631cd0195e5100bd0550912502527bab09ac76152dab0c'
const ISSUES = 'https://github.com/OpenAPITools/openapi-generator/issues'
const DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'

const OUT_OF_MEMORY = {
  what: 'generating examples for recursive objects uses up the memory',
  workaround: '`--skip-operation-example`',
  issue: `${ISSUES}/4398`,
} satisfies Fault

/** Settings of OpenAPI Generator for all languages. */
const common = {
  name: 'openapi-generator',
  version: VERSION,
  form: 'openapi.sdk.yaml',
  faults: [OUT_OF_MEMORY],
} as const

const needs = ['java', 'mvn', 'sha256sum'] as const

const install = [
  `mvn -q -B ${DEPENDENCIES}:copy -Dartifact=org.openapitools:openapi-generator-cli:${VERSION} -DoutputDirectory=.`,
  `echo '${CHECKSUM}  ${ARCHIVE}' | sha256sum -c --quiet`,
] as const

/**
 * The command. Examples of operations are left out, since they alone need more memory than the rest, and so are documentation and tests.
 */
function generate(generator: string, folder: string, properties: readonly string[], others: readonly string[] = []): string {
  return [
    `java -Xmx1500m -jar ${ARCHIVE} generate -g ${generator} -i openapi.sdk.yaml -o ${folder} --skip-operation-example`,
    '--global-property modelDocs=false,apiDocs=false,modelTests=false,apiTests=false',
    ...others,
    ...(properties.length > 0 ? [`--additional-properties ${properties.join(',')}`] : []),
  ].join(' \\\n  ')
}

/** The kits of OpenAPI Generator, which has generators for many languages. */
export const openapiGeneratorKits: readonly Kit[] = [
  {
    ...common,
    language: 'Python',
    needs: [...needs, 'python3'],
    files: { 'program.py': { program: 'openapi_generator.py' }, ...BODIES },
    install: [
      ...install,
      'python3 -m venv python',
      "python/bin/pip install --quiet 'urllib3>=2.6.3,<3' python-dateutil==2.9.0.post0 'pydantic>=2.11,<3' typing-extensions",
    ],
    generate: [generate('python', 'client', ['packageName=workspace_service'])],
    compile: ['python/bin/python -m compileall -q client/workspace_service'],
    run: 'PYTHONPATH=client python/bin/python program.py',
  },
  {
    ...common,
    language: 'Go',
    faults: [
      OUT_OF_MEMORY,
      {
        what: 'enums with the same values have constants with the same name',
        workaround: '`enumClassPrefix=true`',
        issue: `${ISSUES}/535`,
      },
    ],
    needs: [...needs, 'go'],
    files: {
      'main.go': { program: 'openapi_generator.go' },
      'go.mod': { text: 'module example\n\ngo 1.24\n' },
      ...BODIES,
    },
    install,
    generate: [
      generate('go', 'workspace', [
        'packageName=workspace',
        'withGoMod=false',
        'enumClassPrefix=true',
        'disallowAdditionalPropertiesIfNotPresent=false',
      ]),
    ],
    compile: ['go build -p 1 -o program .'],
    run: './program',
  },
  {
    ...common,
    language: 'TypeScript',
    needs: [...needs, 'node', 'npm'],
    files: {
      'program.ts': { program: 'openapi_generator.ts' },
      'package.json': { text: '{ "private": true, "type": "module" }\n' },
    },
    install: [...install, 'npm install --ignore-scripts --no-audit --no-fund typescript@5.9.3 tsx@4.20.6 @types/node@24.19.2'],
    generate: [generate('typescript-fetch', 'workspace', [])],
    compile: [
      'npx tsc --strict --noEmit --skipLibCheck --target esnext --module esnext --moduleResolution bundler --types node program.ts',
    ],
    run: 'npx tsx program.ts',
  },
  {
    ...common,
    language: 'Java',
    faults: [
      OUT_OF_MEMORY,
      {
        what: 'the setter of a property `equals` clashes with the method `equals` that every object has',
        workaround: '`--name-mappings`',
      },
    ],
    needs: [...needs, 'javac'],
    files: { 'Program.java': { program: 'OpenapiGenerator.java' }, ...BODIES },
    install,
    generate: [
      generate(
        'java',
        'client',
        [
          'library=native',
          'groupId=example',
          'artifactId=workspace',
          'artifactVersion=1.0.0',
          'invokerPackage=example.workspace',
          'apiPackage=example.workspace.api',
          'modelPackage=example.workspace.model',
          'disallowAdditionalPropertiesIfNotPresent=false',
          'openApiNullable=false',
          'containerDefaultToNull=true',
        ],
        ['--name-mappings equals=isEqualTo'],
      ),
    ],
    compile: ['cp Program.java client/src/main/java/', `mvn -q -B -f client/pom.xml compile ${DEPENDENCIES}:copy-dependencies`],
    run: "java -cp 'client/target/classes:client/target/dependency/*' Program",
  },
  {
    ...common,
    language: 'Kotlin',
    faults: [
      OUT_OF_MEMORY,
      {
        what: 'the constant for an enum value `name` clashes with the property `name` that every enum has',
        workaround: '`enumPropertyNaming=UPPERCASE`',
        issue: `${ISSUES}/12646`,
      },
    ],
    needs: [...needs, 'javac'],
    files: {
      'Program.kt': { program: 'OpenapiGenerator.kt' },
      'pom.xml': { program: 'kotlin_pom.xml' },
      ...BODIES,
    },
    install,
    generate: [
      generate('kotlin', 'client', [
        'library=jvm-okhttp4',
        'serializationLibrary=jackson',
        'packageName=example.workspace',
        'groupId=example',
        'artifactId=workspace',
        'enumPropertyNaming=UPPERCASE',
      ]),
    ],
    compile: [`mvn -q -B compile ${DEPENDENCIES}:copy-dependencies`],
    run: "java -cp 'target/classes:target/dependency/*' ProgramKt",
  },
  {
    ...common,
    language: 'Rust',
    faults: [
      OUT_OF_MEMORY,
      {
        what: '`models::` is written twice before enums in form parameters, and in earlier versions in path parameters',
        workaround: '`sed` removes one',
        issue: `${ISSUES}/8380`,
      },
    ],
    needs: [...needs, 'cargo', 'sed'],
    files: {
      'main.rs': { program: 'openapi_generator.rs' },
      'Cargo.toml': {
        text: [
          '[package]',
          'name = "program"',
          'version = "1.0.0"',
          'edition = "2021"\n',
          '[[bin]]',
          'name = "program"',
          'path = "main.rs"\n',
          '[dependencies]',
          'workspace = { path = "client" }',
          'serde = "1"',
          'serde_json = "1"\n',
        ].join('\n'),
      },
      ...BODIES,
    },
    install,
    generate: [
      generate('rust', 'client', ['packageName=workspace', 'packageVersion=1.0.0', 'supportAsync=false']),
      "sed -i.bak 's/models::models::/models::/g' client/src/apis/*.rs",
    ],
    compile: ['cargo build --quiet --jobs 1'],
    run: 'target/debug/program',
  },
]
