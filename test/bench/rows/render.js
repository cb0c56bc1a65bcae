import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { handWritten } from '../tools/hand-written.js'
import { messageName, PARAGLIDE, writeParaglideProject } from '../tools/paraglide.js'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { milliseconds, shown } from '../tools/report.js'
import { field, inTurn, median, ratioOf } from '../tools/statistics.js'

export const title = '`render`: 2 KB, five variables, check included'
export const rounds = 3

const CHILD = join(import.meta.dirname, '../children/render.js')
const DURATION = 1500

const WAYS = {
  ours: 'this package',
  handWritten: 'hand-written concatenation',
  paraglide: 'Paraglide message functions',
  handlebars: 'handlebars, precompiled',
  mustache: 'mustache',
  langfuse: '@langfuse/client compile',
}

export async function run({ work, rounds: count }) {
  const folder = await prepare(work)
  const rows = []
  for (const [prompts, name] of [
    [1, 'one hot'],
    [200, '200 in turn'],
  ]) {
    const contestants = Object.keys(WAYS).map((way) => [
      way,
      () => runNode(CHILD, [way, folder, String(prompts), String(DURATION)]),
    ])
    const samples = await inTurn(count, Object.fromEntries(contestants))
    rows.push(...compare(samples, name))
  }
  return rows
}

/** The speed relative to hand-written code. */
function compare(samples, name) {
  const { ours, handWritten: best, ...others } = samples
  const times = field(ours, 'each')
  return [
    speed(`${name}: ${WAYS.ours}`, { times, against: field(best, 'each'), least: 0.95 }),
    shown(`${name}: ${WAYS.handWritten}`, field(best, 'each'), milliseconds),
    ...Object.entries(others).map(([way, each]) => {
      const ratio = ratioOf(field(each, 'each'), times)
      const ahead = `${ratio.toFixed(2)} of ours`
      const row = shown(`${name}: ${WAYS[way]}`, field(each, 'each'), milliseconds)
      return { ...row, ratio: ahead, must: '> 1', state: ratio > 1 ? 'ok' : 'short' }
    }),
  ]
}

function speed(what, { times, against, least }) {
  const ratio = ratioOf(against, times)
  return {
    what,
    median: milliseconds(median(times)),
    ratio: `${ratio.toFixed(2)} of hand-written's speed`,
    must: `≥ ${least}`,
    state: ratio >= least ? 'ok' : 'short',
  }
}

async function prepare(work) {
  const folder = await work.app('render')
  const prompts = makePrompts(200)
  await writeLock(join(folder, 'prompts.lock.json'), prompts)
  await writeFile(join(folder, 'prompts.json'), JSON.stringify(prompts))
  const named = handWritten(prompts, ({ slug }) => messageName(slug))
  await writeFile(join(folder, 'hand-written.js'), named)
  await runNode(work.cli, ['generate', '--out-dir', 'prompts'], { cwd: folder })
  await writeParaglideProject(folder, prompts, { whole: false })
  const to = ['--project', './project.inlang', '--outdir', './paraglide', '--silent']
  await runNode(PARAGLIDE, ['compile', ...to], { cwd: folder })
  return folder
}
