import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const PACKAGES = resolve(import.meta.dirname, '../../node_modules')

export const COMPILERS = ['typescript', 'typescript-7'].flatMap((path) => [
  { path, resolution: 'bundler' },
  { path, resolution: 'nodenext' },
])

const { OLDER_TYPESCRIPT } = process.env

/** Versions of TypeScript that a nightly job installs. */
export const OLDER_COMPILERS = (OLDER_TYPESCRIPT?.split(delimiter) ?? []).flatMap((path) => [
  { path, resolution: 'bundler' },
  { path, resolution: 'nodenext' },
  { path, resolution: 'node10', skipLibCheck: true },
])

/** Each compiler and each kind of resolution once. */
export const EACH_COMPILER = [
  { path: 'typescript', resolution: 'nodenext' },
  { path: 'typescript-7', resolution: 'bundler' },
]

export async function compileStrictly(root, compiler) {
  await writeFile(join(root, 'tsconfig.json'), tsconfig(compiler))
  const said = await compile(root, compiler.path)
  const found = said.matchAll(/^(\S.*?)\((\d+),\d+\): (error TS\d+.*)$/gm)
  const refusals = Array.from(found, ([, file, line, text]) => ({ place: `${file}:${line}`, text }))
  if (said !== '' && refusals.length === 0) throw new Error(said)
  return refusals
}

function compile(root, path) {
  const run = path === 'typescript-7' ? runProcess : runInProcess
  return run(root, resolve(PACKAGES, path))
}

/** TypeScript 7 has no API. It is a native program, which starts quickly. */
function runProcess(root, folder) {
  const args = [join(folder, 'bin/tsc'), '--project', root, '--pretty', 'false']
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      done(error === null ? '' : stdout + stderr || String(error)),
    )
  })
}

/** In this process, since TypeScript in JavaScript takes longer to start than to compile a fixture. */
async function runInProcess(root, folder) {
  const { default: ts } = await import(pathToFileURL(join(folder, 'lib/typescript.js')).href)
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => root }
  host.getSourceFile = sharedDeclarations(folder, host.getSourceFile)
  // As `tsc` does. Types of SDKs are mostly comments.
  host.jsDocParsingMode = ts.JSDocParsingMode?.ParseForTypeErrors
  const program = ts.createProgram(fileNames, options, host)
  const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(program)]
  if (options.outDir !== undefined) diagnostics.push(...program.emit().diagnostics)
  return ts.formatDiagnostics(diagnostics, host)
}

const DECLARATIONS = /\.d\.[cm]?ts$/
const declarations = new Map()

/**
 * Parses the declarations of installed packages once, of which all apps have most in common. How they
 * are read depends on no option of an app but these.
 */
function sharedDeclarations(compiler, getSourceFile) {
  return (path, version, ...rest) => {
    if (!path.startsWith(PACKAGES) || !DECLARATIONS.test(path)) {
      return getSourceFile(path, version, ...rest)
    }
    const key = JSON.stringify([compiler, path, version])
    if (!declarations.has(key)) declarations.set(key, getSourceFile(path, version, ...rest))
    return declarations.get(key)
  }
}

/** Kinds of `moduleResolution` that are not kinds of `module`. */
const MODULES = { bundler: 'esnext', node10: 'esnext' }

function tsconfig({ path, resolution, outDir, skipLibCheck = false, preserveSymlinks = false }) {
  const output = { declaration: true, emitDeclarationOnly: true, outDir }
  const isDeprecated = resolution === 'node10' && path === 'typescript'
  const compilerOptions = {
    target: 'es2022',
    // The DOM takes TypeScript 6 most of its time; TypeScript 7 has it.
    ...(path === 'typescript' ? { lib: ['es2022'] } : {}),
    module: MODULES[resolution] ?? resolution,
    ...(isDeprecated ? { ignoreDeprecations: '6.0' } : {}),
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    ...(outDir === undefined ? { noEmit: true } : output),
    types: [],
    verbatimModuleSyntax: true,
    skipLibCheck,
    skipDefaultLibCheck: true,
    preserveSymlinks,
  }
  return JSON.stringify({ compilerOptions, include: ['*.ts'] })
}

export async function linesMarkedWrong(folder, names) {
  const places = names.map(async (name) => {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
    return lines.flatMap((line, index) =>
      line.endsWith('// error') ? [`${name}:${index + 1}`] : [],
    )
  })
  return (await Promise.all(places)).flat()
}
