import { readdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineConfig, type UserConfig, type Rolldown } from 'tsdown'
import { BUNDLED, writeDocs, writeNotices, writeSkill } from './package-files.ts'
import { runtimeText } from './runtime-text.ts'

const SRC = join(import.meta.dirname, '..')

/** Every file in `src` itself is an entry point of the package. */
const entryPoints = readdirSync(SRC).filter((file) => file.endsWith('.ts'))

// A start loads few files: with one chunk per shared module, the Vite plugin took 46 instead of 5.

/**
 * What every command loads, so `--help` reads 4 files. Without the errors in a file of their own, it
 * would also read the lock, the options and their schemas.
 */
const COMMAND_LINE =
  /(?:\/src\/cli\/(?:shell\/(?:arguments|command|layout|terminal)|project\/options|view\/report-error|commands\/(?:main|registry|\w+\/meta))|\/node_modules\/fast)(?!.*\.d\.ts$)/
/** What most commands load besides, without the code that needs the diff library. */
const COMMANDS =
  /\/src\/(?:cli\/(?:view\/(?:change-view|json)|project\/(?:analyse|progress|project-command))|features\/diff\/drift|judge\/(?:impact|named-uses))(?!.*\.d\.ts$)/
const ERRORS =
  /\/src\/(?:errors(?!\/assert)|debug|fs\/(?:installed-version|paths)|core\/(?:queue|text|workspace-name)|config\/(?:api-key|options))(?!.*\.d\.ts$)/
/** What a build from a good lock never needs. */
const WRITER =
  /\/src\/(?:fs\/(?:git|file-lock|replace-file|write-file)|core\/lock\/(?:recover-lock|lock-lines)|codegen\/declarations|output|plan\/(?:apps|commit)|features\/start\/pull-lock)(?!.*\.d\.ts$)/
/** What compares locks, and what describes the changes. */
const CHANGES =
  /\/src\/(?:core\/(?:app-code|change-row|classify-change|describe-change|drift|impact|next-lock|notes|service|syntax)|config\/base-url|errors\/assert|plugin\/staged-contracts)(?!.*\.d\.ts$)/
const COMMON =
  /(?:\/src\/(?:codegen|config|core|debug|errors|features\/(?:project|start)|fs(?!\/watch)|runtime)\/|\/src\/plugin\/(?:by-use|snapshot)|\/node_modules\/valibot\/)(?!.*\.d\.m?ts$)/
/** What the plugins load at once. Others are for some bundlers, or wait for a build. */
const PLUGIN =
  /\/src\/plugin\/(?!webpack|rspack|rollup\/rollup|next|setup-build|build|importers|by-use|snapshot|staged-contracts|use-check)(?!.*\.d\.ts$)/

const config: UserConfig = defineConfig({
  cwd: '../..',
  entry: {
    ...Object.fromEntries(entryPoints.map((file) => [basename(file, '.ts'), `src/${file}`])),
    runtime: 'src/runtime/index.ts',
    'register-thread': 'src/register/thread.ts',
    'analysis-thread': 'src/plan/thread/analysis-thread.ts',
  },
  outDir: 'dist',
  format: 'esm',
  target: 'node20.19',
  fixedExtension: false,
  dts: true,
  deps: { onlyBundle: [...BUNDLED] },
  copy: ['src/plugin/next/next.prompts', 'src/page/{page.css,script.js,icon.svg}'],
  plugins: [runtimeText(), requiredTsMorph()],
  // Times would be warned of on a busy machine only.
  inputOptions: { resolve: { mainFields: ['module', 'main'] }, checks: { pluginTimings: false } },
  outputOptions: {
    // Editors show those of the declarations.
    comments: { jsdoc: false },
    codeSplitting: {
      groups: [
        { name: 'errors', test: ERRORS, minShareCount: 2 },
        { name: 'plugin', test: PLUGIN, minShareCount: 2 },
        {
          name: 'common',
          test: (id) => COMMON.test(id) && !CHANGES.test(id) && !WRITER.test(id),
          minShareCount: 2,
        },
        { name: 'changes', test: CHANGES, minShareCount: 2 },
        { name: 'writer', test: WRITER, minShareCount: 2 },
        { name: 'command-line', test: COMMAND_LINE },
        { name: 'commands', test: COMMANDS },
      ],
    },
  },
  hooks: {
    // After the build, because it empties its folder.
    'build:done': async () => {
      // Under `module: node16`, declarations of CommonJS may not import those of an ES module.
      await copyFile('dist/runtime.d.ts', 'dist/runtime.d.cts')
      await writeDocs('src/docs', 'dist/docs')
      await writeSkill('src/docs', 'skills/unplugin-prompts')
      await writeNotices('.', 'dist/NOTICES.md')
    },
  },
})

export default config

/**
 * Loads ts-morph with `require`. For an `import`, Node first parses all of TypeScript to find the names of
 * its exports, even if it is loaded already: 0.15 s at the end of each pull.
 */
function requiredTsMorph(): Rolldown.Plugin {
  return {
    name: 'required-ts-morph',
    renderChunk: (code) =>
      code.replace(
        /^import \{(.*)\} from "ts-morph";$/m,
        (_, names: string) => `import { createRequire as requireFrom } from "node:module";
const {${names.replaceAll(' as ', ': ')}} = requireFrom(import.meta.url)("ts-morph");`,
      ),
  }
}
