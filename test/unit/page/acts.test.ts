import { symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { appFolder } from '../../helpers/app-folder.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import {
  ask,
  buttonsIn,
  type Fields,
  formOf,
  formsIn,
  press,
  send,
  settled,
  submit,
  textsIn,
} from '../../helpers/page/ask.ts'
import { appFiles, projectAt, servedPage, testProject } from '../../helpers/page/project.ts'
import { liveLock, lockOf, parsedLock, lockText } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const PART = '["live","support-triage"]'
const PROMPT = 'prompts/support-triage'
const EDIT = `${PROMPT}/edit`
const WRITES = ['take', 'fix', 'hold', 'unhold', 'edit', 'anyway', 'restore', 'undo']

const outcomeIn = (html: string): string => textsIn(html, 'div class="outcome').join()

/** An update of the only prompt, which the page has read. */
async function withUpdate() {
  const served = liveLock({ version: 'v23', system: 'Be brief.' })
  const { url, ...project } = await projectAt('changes', liveLock({}), { served })
  await press(url, 'Check now')
  await press(url, 'Fetch the text')
  return { project, url, take: await formOf(url, 'Update support-triage') }
}

test('texts are read, and acts done, only for the lock that is on the screen', async () => {
  const { project, url, take } = await withUpdate()
  await project.writeLock(liveLock({ system: 'Edited.' }))
  const before = await project.readLock()
  for (const act of [...WRITES, 'read', 'plan', 'preview', 'rebase'])
    for (const lock of [take['lock'] ?? '', '']) {
      const html = await send(url, { act, row: PART, system: 'Mine.', lock })
      expect(outcomeIn(html), act).toContain('FILE_CHANGED')
    }
  expect(await project.readLock()).toBe(before)
})

test('only the version that was on the screen is taken, with its text', async () => {
  const { project, url, take } = await withUpdate()
  const [name = ''] = take['row'] ?? []
  expect(JSON.parse(name)).toEqual(['live', 'support-triage', 'v22', 'v23', expect.any(String)])
  const before = await project.readLock()
  for (const [part, other] of [
    ['v23', 'v24'],
    ['"v22"', '"v21"'],
    [/"[^"]*"\]/, '"another text"]'],
  ] as const) {
    const row = name.replace(part, other)
    for (const act of ['take', 'plan'])
      expect(outcomeIn(await send(url, { ...take, act, row }))).toContain('has another version now')
  }
  project.serve(liveLock({ version: 'v24' }))
  await press(url, 'Check now')
  expect(outcomeIn(await send(url, take))).toMatch(/^Nothing was written\. .*support-triage v23/)
  expect(await project.readLock()).toBe(before)
})

test('a new prompt and its staging version are two changes, each read and taken alone', async () => {
  const added = { slug: 'other', version: 'v1' }
  const staging = [{ ...added, version: 'v2', system: 'Be brief.' }]
  const served = lockOf({ live: [{}, added], staging })
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const { url, ...project } = await projectAt('changes', liveLock({}), { served, env })
  await press(url, 'Check now')
  await press(url, 'Fetch all 2')
  const reads = project.service.requests.filter(({ path }) => path.endsWith('/other'))
  expect(reads).toHaveLength(2)
  await press(url, 'Add other (staging)')
  expect(parsedLock(await project.readLock())).toEqual(lockOf({ live: [{}], staging }))
  await press(url, 'Check now')
  await press(url, 'Fetch the text')
  await press(url, 'Add other')
  expect(parsedLock(await project.readLock())).toEqual(served)
})

test('the outcome of an act and of its Undo tells what is pinned from what is removed', async () => {
  const served = liveLock({ slug: 'new', version: 'v1' })
  const { url } = await projectAt('changes', liveLock({ slug: 'old' }), { served })
  await press(url, 'Check now')
  await press(url, 'Fetch the text')
  const { headers } = await submit(url, await formOf(url, 'Add 1, remove 1'))
  const done = new URL(headers.location ?? '', url).href
  expect(outcomeIn((await ask(done)).body)).toBe('Updated new v1 Removed old Undo')
  const undone = 'Undone. Pinned again: old v22 Removed new'
  expect(outcomeIn(await press(done, 'Undo'))).toBe(undone)
})

test('a published version is two changes with one read, and the live one takes both', async () => {
  const draft = { version: 'v23', system: 'Be brief.' }
  const lock = lockOf({ live: [{}], staging: [draft] })
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const { url, ...project } = await projectAt('changes', lock, { served: liveLock(draft), env })
  const html = await press(url, 'Check now')
  expect(textsIn(html, 'summary')).toEqual([
    expect.stringMatching(/^support-triage v22 → v23 text not fetched/),
    expect.stringMatching(/^support-triage \(staging\) v23 published, text not fetched/),
  ])
  const read = await press(url, 'Fetch all 2 · 1 text')
  expect(read).not.toContain('Update support-triage (staging)')
  await press(url, 'Update support-triage')
  expect(parsedLock(await project.readLock())).toEqual(liveLock(draft))
})

test.each([
  {
    version: 'v23',
    title: 'a published staging version ends only with its live update',
    ends: false,
  },
  { version: 'v24', title: 'a discarded staging version ends alone', ends: true },
])('$title', async ({ version, ends }) => {
  const lock = lockOf({
    live: [{ user: '{{ a }}' }],
    staging: [{ version: 'v23', user: '{{ b }}' }],
  })
  const files = appFiles("prompts.supportTriage.render({ a: '' })")
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const served = liveLock({ version, user: '{{ b }}' })
  const { url, ...project } = await projectAt('changes', lock, { served, env, files })
  await press(url, 'Check now')
  const html = await press(url, 'Fetch the text')
  const [safe] = textsIn(html, 'section class="group" id="safe"')
  expect(safe).toMatch(/^Safe 1 (?:Update 1 )?support-triage \(staging\)/)
  expect(buttonsIn(html).join().includes('Update')).toBe(ends)
  expect(parsedLock(await project.readLock())).toEqual(lock)
})

/** The document behind a link of another one. */
async function followLink(from: string, path: string): Promise<string> {
  const url = new URL(path, from).href
  const { headers, body } = await ask(url, { headers: { referer: from } })
  return headers.location === undefined ? body : followLink(from, headers.location)
}

test('only the window that wrote tells it, and undoes it wherever it goes while the lock is as it was written', async () => {
  const { url, ...project } = await projectAt(PROMPT, liveLock({}, { slug: 'other' }))
  const before = await project.readLock()
  const hold = await formOf(url, 'Hold it')
  const { headers } = await submit(url, hold)
  const held = new URL(headers.location ?? '', url).href
  const told = 'Held support-triage v22 Undo'
  for (const path of [held, '/', '/prompts', '/prompts/other/history?q=o', '/changes?show=used'])
    expect(outcomeIn(await followLink(held, path)), path).toBe(told)
  expect(outcomeIn(await press(held, 'Check now'))).toBe(told)
  // Another window, and a window that was too late.
  expect(outcomeIn((await ask(url)).body)).toBe('')
  expect(outcomeIn(await send(url, hold))).not.toContain('Undo')
  const late = await send(held, hold)
  expect(outcomeIn(late)).toContain('FILE_CHANGED')
  expect(buttonsIn(late)).toContain('Undo')
  const undo = await formOf(held, 'Undo')
  expect(outcomeIn(await send(url, undo))).toContain('FILE_CHANGED')
  expect(outcomeIn(await send(held, undo))).toBe('Undone. Pinned again: support-triage v22')
  expect(await project.readLock()).toBe(before)
  expect(outcomeIn(await send(held, undo))).toContain('FILE_CHANGED')
  await send(url, hold)
  await press(url.replace('support-triage', 'other'), 'Hold it')
  expect(outcomeIn((await ask(held)).body)).toBe('Held support-triage v22')
  expect(outcomeIn(await followLink(held, '/changes'))).toBe('')
})

test.each(['Pin and hold', 'Preview'])(
  'a form that was typed for another lock comes back for that one, with what has changed: %s',
  async (button) => {
    const { url, ...project } = await projectAt(EDIT, liveLock({ system: 'One.' }))
    const form = await formOf(url, 'Pin and hold')
    const typed = { system: 'Mine.', user: '', reason: '' }
    await project.writeLock(liveLock({ version: 'v9', system: 'Nine.' }))
    const before = await project.readLock()
    const act = button === 'Preview' ? 'preview' : 'edit'
    let { body } = await submit(url, { ...form, ...typed, act })
    for (const _ of [1, 2]) {
      // Another try would fail again: only the strip has the way on.
      expect(outcomeIn(body)).toBe('')
      expect(textsIn(body, 'section class="strip').join()).toMatch(
        /nothing was written .*v22 → v9.*One\..*Nine\./,
      )
      const back = formsIn(body).find(({ now }) => now)
      expect(back).toMatchObject({ lock: form['lock'] })
      ;({ body } = await submit(url, { ...back, ...typed, act: 'edit' }))
    }
    expect(await project.readLock()).toBe(before)
    const back = formsIn(body).find(({ now }) => now)
    const next = (await submit(url, { ...back, ...typed, act: 'rebase' })).body
    expect(next).not.toContain('FILE_CHANGED')
    const again = formsIn(next).find(({ row }) => row)
    await send(url, { ...again, ...typed, act: 'edit' })
    expect(parsedLock(await project.readLock())).toMatchObject({
      parts: [{ version: 'v9-edited', system: 'Mine.' }],
    })
  },
)

test.each(['live', 'staging'] as const)(
  'a field that nobody touched gets the text of the lock that the form goes on with: %s',
  async (part) => {
    const lockWith = (version: string, system: string, reason: string): Lock =>
      lockOf({
        live: [{ version: 'v1' }],
        [part]: [{ version, system, user: 'Hi.', held: { reason } }],
      })
    const path = part === 'live' ? EDIT : `${EDIT}?part=test`
    const { url, ...project } = await projectAt(path, lockWith('v2', 'One\r\nline.', 'Legal'))
    const form = await formOf(url, 'Pin and hold')
    const typed = { system: 'One\nline.', user: 'Mine.', reason: 'Legal' }
    await project.writeLock(lockWith('v9', 'Nine.', 'Sales'))
    const moved = (await submit(url, { ...form, ...typed, act: 'edit' })).body
    const back = formsIn(moved).find(({ now }) => now)
    const next = (await submit(url, { ...back, ...typed, act: 'rebase' })).body
    const [system = '', user = '', reason = ''] = textsIn(next, 'textarea')
    expect([system, user, reason]).toEqual(['Nine.', 'Mine.', 'Sales'])
    const again = formsIn(next).find(({ row }) => row)
    await send(url, { ...again, system, user, reason, act: 'edit' })
    const fields = { version: 'v9-edited', system: 'Nine.', user: 'Mine.' }
    expect(parsedLock(await project.readLock()).parts).toContainEqual(
      expect.objectContaining({ ...fields, held: { reason: 'Sales' } }),
    )
  },
)

const LIVE = { version: 'v1', system: 'Live.' }
const STAGED = { version: 'v2', system: 'Staged.' }

test.each([
  ['is published', { live: [LIVE], staging: [STAGED] }, { live: [STAGED] }],
  ['is dropped', { live: [LIVE], staging: [STAGED] }, { live: [LIVE] }],
  ['gets a live version', { staging: [STAGED] }, { live: [LIVE], staging: [STAGED] }],
])(
  'what was typed for a staging version stays one if it %s meanwhile',
  async (_, before, after) => {
    const path = EDIT + ('live' in before ? '?part=test' : '')
    const { url, ...project } = await projectAt(path, lockOf(before))
    const typed = { system: 'Mine.', user: '', reason: '' }
    const form = await formOf(url, 'Pin and hold')
    await project.writeLock(lockOf(after))
    const moved = (await submit(url, { ...form, ...typed, act: 'edit' })).body
    const back = formsIn(moved).find(({ now }) => now)
    const next = (await submit(url, { ...back, ...typed, act: 'rebase' })).body
    const again = formsIn(next).find(({ row }) => row)
    expect(again).toMatchObject({ row: ['["test","support-triage"]'] })
    await send(url, { ...again, ...typed, act: 'edit' })
    const version = 'staging' in after ? 'v2-edited' : `${after.live[0]?.version}-edited`
    const staging = [{ ...STAGED, version, system: 'Mine.', held: { reason: '' } }]
    expect(parsedLock(await project.readLock())).toEqual(lockOf({ ...after, staging }))
  },
)

test('what has changed since a form was drawn is told for a prompt, whatever else was drawn, and is not claimed', async () => {
  const others = Array.from({ length: 21 }, (_, index) => ({ slug: `other-${index}` }))
  const lock = liveLock({ system: 'One.' }, ...others)
  const { url: edit, ...project } = await projectAt(EDIT, lock)
  const form = await formOf(edit, 'Pin and hold')
  for (const { slug } of others) await ask(edit.replace('support-triage', slug))
  const movedFor = async (drawn: Fields[string] = ''): Promise<string> => {
    const typed = { lock: drawn, system: 'Mine.', act: 'edit' }
    const { body } = await submit(edit, { ...form, ...typed })
    return textsIn(body, 'section class="strip').join()
  }
  await project.writeLock(liveLock({ system: 'One.' }))
  expect(await movedFor(form['lock'])).toContain('Other prompts of the lock have changed')
  await project.writeLock(liveLock({ system: 'Two.' }))
  expect(await movedFor(form['lock'])).toMatch(/This prompt has changed.*One\..*Two\./)
  expect(await movedFor('unknown')).toContain('This prompt may have changed')
})

test('an edit that breaks a line is pinned only by a button that says so, beside the line', async () => {
  const files = appFiles("prompts.supportTriage.render({ ticket: '' })")
  const { url, ...project } = await projectAt(EDIT, liveLock({ user: '{{ ticket }}' }), { files })
  const before = await project.readLock()
  const form = await formOf(url, 'Pin and hold')
  const typed = { system: '', user: '{{ ticket }} {{ tone }}', reason: '' }
  const { body } = await submit(url, { ...form, ...typed, act: 'edit' })
  expect(outcomeIn(body)).toBe('Nothing was written. 1 line stops compiling.')
  expect(body).toContain('src/main.ts:2')
  expect(await project.readLock()).toBe(before)
  expect(buttonsIn(body)).toContain('Pin anyway')
  const back = formsIn(body).find(({ row }) => row)
  expect(outcomeIn(await send(url, { ...back, ...typed, act: 'anyway' }))).toContain('Undo')
  expect(parsedLock(await project.readLock())).toMatchObject({ parts: [{ user: typed.user }] })
})

test('a restored version that breaks a line is pinned only by a button that says so, beside the line', async () => {
  const files = appFiles('prompts.supportTriage.render()')
  const former = liveLock({ user: '{{ ticket }}' })
  const project = await testProject(former, { files })
  commitAll(project.root)
  await project.writeLock(liveLock({ version: 'v23' }))
  const before = await project.readLock()
  const [commit = ''] = git(project.root, 'rev-parse', 'HEAD~0').split('\n')
  git(project.root, 'commit', '--quiet', '--all', '--message', 'update')
  const url = `${(await servedPage(project)).url}prompts/support-triage/history?at=${commit}`
  const html = await press(url, 'Restore support-triage')
  expect(outcomeIn(html)).toBe('Nothing was written. 1 line stops compiling.')
  expect(textsIn(html, 'section class="strip').join()).toContain('src/main.ts:2')
  expect(await project.readLock()).toBe(before)
  const { headers } = await submit(url, await formOf(url, 'Restore support-triage'))
  const kept = new URL(headers.location ?? '', url).href
  expect(outcomeIn(await press(kept, 'Pin anyway support-triage'))).toContain('Undo')
  expect(parsedLock(await project.readLock())).toMatchObject({ parts: [{ user: '{{ ticket }}' }] })
  expect((await ask(kept)).body).not.toContain('Pin anyway')
})

test('a fix is offered only for a prompt whose update an edit of the code takes', async () => {
  const slugs = ['plain', 'spread']
  const lockWith = (variable: string): Lock =>
    liveLock(...slugs.map((slug) => ({ slug, system: `Sort {{ ${variable} }}` })))
  const files = appFiles(
    "const values = { ticket: '' }",
    "prompts.plain.render({ ticket: '' })",
    'prompts.spread.render({ ...values })',
  )
  const served = { parts: lockWith('message').parts.map((part) => ({ ...part, version: 'v23' })) }
  const { url, ...project } = await projectAt('changes', lockWith('ticket'), { served, files })
  commitAll(project.root)
  await press(url, 'Check now')
  const html = await press(url, 'Fetch the 2 that your code uses')
  expect(textsIn(html, 'h1').join()).toContain('2 lines stop compiling')
  expect(buttonsIn(html).filter((label) => label.startsWith('Fix'))).toEqual(['Fix plain'])
})

test('a fix takes the change of its row, and leaves that of the other part', async () => {
  const files = appFiles("prompts.supportTriage.render({ ticket: '' })")
  const draft = { version: 's1', system: 'Rank {{ ticket }}' }
  const lock = lockOf({ live: [{ system: 'Sort {{ ticket }}' }], staging: [draft] })
  const served = lockOf({
    live: [{ version: 'v23', system: 'Sort {{ message }}' }],
    staging: [{ version: 's2', system: 'Rank {{ message }}' }],
  })
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const { url, ...project } = await projectAt('changes', lock, { served, files, env })
  commitAll(project.root)
  await press(url, 'Check now')
  await press(url, 'Fetch the 2 that your code uses')
  await settled(url)
  const { headers } = await submit(url, await formOf(url, 'Fix support-triage'))
  const shown = new URL(headers.location ?? '', url).href
  const fix = await formOf(shown, 'Edit the code and update')
  const [name = ''] = fix['row'] ?? []
  expect(JSON.parse(name).slice(0, 4)).toEqual(['live', 'support-triage', 'v22', 'v23'])
  const stale = await send(shown, { ...fix, row: name.replace('v23', 'v24') })
  expect(outcomeIn(stale)).toContain('has another version now of support-triage v24')
  expect(parsedLock(await project.readLock())).toEqual(lock)
  const html = await press(shown, 'Edit the code and update')
  expect(outcomeIn(html)).toMatch(/^Updated support-triage v23 Edited 1 file/)
  const [live] = served.parts
  expect(parsedLock(await project.readLock()).parts).toEqual([live, lock.parts[1]])
})

test('a text that browsers change is edited by a command for its part, and a reason that comes back is kept', async () => {
  const reason = 'Legal\rsays no.'
  const part = { slug: 'a b', system: 'One.\rTwo.', held: { reason } }
  const pinned = lockOf({ live: [part], staging: [part] })
  const { url, ...project } = await projectAt('prompts/a%20b', pinned)
  const drawn = { reason: 'Legal\nsays no.' }
  const typed = { act: 'edit', system: 'Mine.', user: '', ...drawn }
  const edit = await press(`${url}/edit?part=test`, 'Pin and hold', typed)
  expect(outcomeIn(edit)).toContain("prompts edit 'a b' --environment test")
  await press(`${url}/edit`, 'Pin and hold', { act: 'edit', user: 'New.', ...drawn })
  const live = { ...part, version: 'v22-edited', user: 'New.', source: 'One.\rTwo.\n\nNew.' }
  expect(parsedLock(await project.readLock())).toEqual(lockOf({ live: [live], staging: [part] }))
  await press(url, 'Save', drawn)
  expect(parsedLock(await project.readLock())).toEqual(lockOf({ live: [live], staging: [part] }))
  await press(url, 'Save', { reason: 'Mine.' })
  expect(await project.readLock()).toContain('"Mine."')
})

test('a preview has the stored text of a field that comes back as it was drawn', async () => {
  const { url } = await projectAt(EDIT, liveLock({ system: 'One.\rTwo.\0' }))
  const drawn = { act: 'preview', system: 'One.\nTwo.\ufffd', user: 'New.' }
  const { body } = await submit(url, { ...(await formOf(url, 'Preview')), ...drawn })
  expect(body).toContain(String.raw`data-copy="&quot;One.\rTwo.\u0000&quot;"`)
  expect(body).toContain('data-copy="&quot;New.&quot;"')
})

test('an empty prompt is not pinned', async () => {
  const { url, ...project } = await projectAt(EDIT, liveLock({ user: '{{ ticket }}' }))
  const before = await project.readLock()
  const html = await press(url, 'Pin and hold', { act: 'edit', system: '', user: '' })
  expect(outcomeIn(html)).toBe('Nothing was written. Both texts are empty.')
  expect(await project.readLock()).toBe(before)
})

test('a page that only reads writes nothing, and offers nothing that does', async () => {
  const files = { 'prompts.config.json': '{ "page": "read" }' }
  const { url, ...project } = await projectAt(PROMPT, liveLock({}), { files })
  const before = await project.readLock()
  const { lock = '' } = await formOf(url, 'Check now')
  for (const act of WRITES)
    expect((await submit(url, { act, row: PART, system: 'Mine.', lock })).status).toBe(403)
  expect(await project.readLock()).toBe(before)
  expect(formsIn((await ask(url)).body).flatMap(({ act = [] }) => act)).toEqual(['list'])
})

test('no key is in an answer, even if the service echoes it, and a text with one is kept', async () => {
  const live = 'svc_live_Canary0123456789abcdefXYZ'
  const staging = 'svc_test_Canary9876543210zyxwvuABC'
  const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
  const prompt = { system: `Use ${live}, ${staging}.`, folder: live }
  const project = await testProject(liveLock(prompt), { env })
  const [{ url }, before] = [await servedPage(project), await project.readLock()]
  const edit = `${url}prompts/support-triage/edit`
  const typed = { act: 'edit', user: '', reason: '' }
  const said = [
    await press(`${url}changes`, 'Check now'),
    await press(edit, 'Pin and hold', { ...typed, system: 'Use [key], [key].' }),
    await press(edit, 'Pin and hold', { ...typed, system: 'Use [key]!' }),
    JSON.stringify(await ask(`${url}prompts`)),
  ]
  for (const [index, text] of ['KEY_REFUSED', 'TEXT_HOLDS_KEY', 'Edit it with'].entries())
    expect(said[index]).toContain(text)
  for (const key of [live, staging]) expect(said.join()).not.toContain(key)
  expect(await project.readLock()).toBe(before)
})

test('the editor opens a place in a file of the project, of another app with the lock or below its folder, and nothing else', async () => {
  const other = await appFolder({ 'package.json': '{}', 'main.ts': '' })
  const secret = await temporaryFolder({ 'secret.ts': '' })
  const shared = await temporaryFolder({
    'prompts.lock.json': lockText(liveLock({})),
    'shared.ts': '',
  })
  const lock = `../${basename(shared)}/prompts.lock.json`
  const config = JSON.stringify({ apps: [`../${basename(other)}`], lock })
  const files = { 'src/a b.ts': '', 'prompts.config.json': config }
  const project = await testProject(liveLock({}), { files })
  const { root } = project
  await symlink(join(secret, 'secret.ts'), join(root, 'link.ts'))
  await symlink(secret, join(root, 'linked'))
  let opened: string | undefined
  const launch = async (place: string): Promise<boolean> => (opened = place) !== ''
  const { url } = await servedPage(project, { launch })
  for (const [place, want] of [
    ['src/a b.ts', `${root}/src/a b.ts:1:1`],
    [`${root}/src/a b.ts:3`, `${root}/src/a b.ts:3:1`],
    [`${root}/src/../src/a b.ts:3:7`, `${root}/src/a b.ts:3:7`],
    [`${other}/main.ts:2`, `${other}/main.ts:2:1`],
    [`../${basename(shared)}/shared.ts:2`, `${shared}/shared.ts:2:1`],
    [`${lock}:4`, `${shared}/prompts.lock.json:4:1`],
    ['', undefined],
    [root, undefined],
    [`${root}/src`, undefined],
    [`${root}/absent.ts:1`, undefined],
    [`${root}/link.ts`, undefined],
    [`${root}/linked/secret.ts:1`, undefined],
    [`${root}/../${basename(secret)}/secret.ts`, undefined],
    [`${root}/src/a b.ts\0`, undefined],
    [`${root}/src/a b.ts --wait`, undefined],
    [`file://${root}/src/a b.ts`, undefined],
  ] as const) {
    opened = undefined
    const { status } = await submit(`${url}prompts`, { open: place })
    expect({ place, status, opened }).toEqual({ place, status: want ? 204 : 303, opened: want })
  }
})

test('a document says so if no editor is found', async () => {
  const project = await testProject(liveLock({}))
  const { url } = await servedPage(project, { launch: async () => false })
  const html = await send(`${url}prompts`, { open: project.lockPath })
  expect(outcomeIn(html)).toContain('No editor was found.')
})
