/** Recipes of the guide to testing for other languages: their requirements and commands. */
export interface Recipe {
  /** The heading above its program in the guide. */
  readonly heading: string
  /** Required commands. */
  readonly needs: readonly string[]
  /** The file of its program, in a separate folder. */
  readonly file: string
  /** Files beside it. */
  readonly beside: Readonly<Record<string, string>>
  /** Runs once; the folder is kept between runs. */
  readonly install: string
  readonly run: string
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>tide</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.11.4</version>
    </dependency>
    <dependency>
      <groupId>com.fasterxml.jackson.core</groupId>
      <artifactId>jackson-databind</artifactId>
      <version>2.18.2</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
      <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin>
    </plugins>
  </build>
</project>
`

export const recipes: readonly Recipe[] = [
  {
    heading: 'With pytest',
    needs: ['python3'],
    file: 'test_tide.py',
    beside: {},
    install: 'python3 -m venv python && python/bin/pip install --quiet pytest==9.0.2',
    run: 'python/bin/python -m pytest -q test_tide.py',
  },
  {
    heading: 'With Go',
    needs: ['go'],
    file: 'tide_test.go',
    beside: { 'go.mod': 'module tide\n\ngo 1.24\n' },
    install: 'true',
    run: 'go test -count=1 ./...',
  },
  {
    heading: 'With JUnit',
    needs: ['mvn', 'javac'],
    file: 'src/test/java/TideTest.java',
    beside: { 'pom.xml': POM },
    install: 'true',
    run: 'mvn --batch-mode --quiet test',
  },
]
