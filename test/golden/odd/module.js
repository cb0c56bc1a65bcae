// virtual:prompts
import { p2861655333263159870 } from "virtual:prompts/definitions"
import { p13357987660656321088 } from "virtual:prompts/definitions"
import { p5288382249539864621 } from "virtual:prompts/definitions"
import { p7757503974527847835 } from "virtual:prompts/definitions"
import { p11088769685414137507 } from "virtual:prompts/definitions"
import { p12754867019471826333 } from "virtual:prompts/definitions"
import { p928526207410900561 } from "virtual:prompts/definitions"
import { p14567212029169725779 } from "virtual:prompts/definitions"
import { p15980016908210718570 } from "virtual:prompts/definitions"
import { p8443476798060194913 } from "virtual:prompts/definitions"
import { p14448139695114857766 } from "virtual:prompts/definitions"
import { p11637396891720793559 } from "virtual:prompts/definitions"
import { p6843704888860461999 } from "virtual:prompts/definitions"
import { p7574679705942768825 } from "virtual:prompts/definitions"
import { p11677480662457315518 } from "virtual:prompts/definitions"
import { p1715619018287412929 } from "virtual:prompts/definitions"
import { p2693379050210087094 } from "virtual:prompts/definitions"
import { p42879775437901858 } from "virtual:prompts/definitions"
import { p14884273633428402752 } from "virtual:prompts/definitions"
import { p8531891510021142359 } from "virtual:prompts/definitions"
import { p7961832484122467194 } from "virtual:prompts/definitions"
import { p15855962995015021271 } from "virtual:prompts/definitions"
import { p10017854570830500464 } from "virtual:prompts/definitions"
import { p7632184079149881469 } from "virtual:prompts/definitions"
import { p538727738492703937 } from "virtual:prompts/definitions"
import { p15018119205842989183 } from "virtual:prompts/definitions"
import { p17973524016256965915 } from "virtual:prompts/definitions"
import { p14696266063503500680 } from "virtual:prompts/definitions"
import { p11156946720219740448 } from "virtual:prompts/definitions"
import { p9912357392045153803 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  [""]: p2861655333263159870,
  ["3d-scene"]: p13357987660656321088,
  ["HTML to text"]: p5288382249539864621,
  ["htmlToText"]: p5288382249539864621,
  ["__proto__"]: p7757503974527847835,
  ["proto"]: p7757503974527847835,
  ["a-b"]: p11088769685414137507,
  ["aB"]: p12754867019471826333,
  ["a_b"]: p928526207410900561,
  ["braces"]: p14567212029169725779,
  ["class"]: p15980016908210718570,
  ["code"]: p8443476798060194913,
  ["comments"]: p14448139695114857766,
  ["constructor"]: p11637396891720793559,
  ["default"]: p6843704888860461999,
  ["first-a-variable"]: p7574679705942768825,
  ["firstAVariable"]: p7574679705942768825,
  ["flat-names"]: p11677480662457315518,
  ["flatNames"]: p11677480662457315518,
  ["größe-ändern"]: p1715619018287412929,
  ["größeÄndern"]: p1715619018287412929,
  ["it's"]: p2693379050210087094,
  ["itS"]: p2693379050210087094,
  ["no-tokens"]: p42879775437901858,
  ["noTokens"]: p42879775437901858,
  ["nothing-served"]: p14884273633428402752,
  ["nothingServed"]: p14884273633428402752,
  ["one-more-variable"]: p8531891510021142359,
  ["oneMoreVariable"]: p8531891510021142359,
  ["other-white-space"]: p7961832484122467194,
  ["otherWhiteSpace"]: p7961832484122467194,
  ["quote\"s"]: p15855962995015021271,
  ["quoteS"]: p15855962995015021271,
  ["spellings"]: p10017854570830500464,
  ["support/triage"]: p7632184079149881469,
  ["supportTriage"]: p7632184079149881469,
  ["system-behind"]: p538727738492703937,
  ["systemBehind"]: p538727738492703937,
  ["then"]: p15018119205842989183,
  ["types"]: p17973524016256965915,
  ["票据"]: p14696266063503500680,
  ["￿"]: p11156946720219740448,
  ["😀"]: p9912357392045153803,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p2861655333263159870 as "",
  p13357987660656321088 as "3d-scene",
  p5288382249539864621 as "HTML to text",
  p5288382249539864621 as htmlToText,
  p7757503974527847835 as proto,
  p11088769685414137507 as "a-b",
  p12754867019471826333 as aB,
  p928526207410900561 as a_b,
  p14567212029169725779 as braces,
  p15980016908210718570 as "class",
  p8443476798060194913 as code,
  p14448139695114857766 as comments,
  p11637396891720793559 as constructor,
  p6843704888860461999 as "default",
  p7574679705942768825 as "first-a-variable",
  p7574679705942768825 as firstAVariable,
  p11677480662457315518 as "flat-names",
  p11677480662457315518 as flatNames,
  p1715619018287412929 as "größe-ändern",
  p1715619018287412929 as größeÄndern,
  p2693379050210087094 as "it's",
  p2693379050210087094 as itS,
  p42879775437901858 as "no-tokens",
  p42879775437901858 as noTokens,
  p14884273633428402752 as "nothing-served",
  p14884273633428402752 as nothingServed,
  p8531891510021142359 as "one-more-variable",
  p8531891510021142359 as oneMoreVariable,
  p7961832484122467194 as "other-white-space",
  p7961832484122467194 as otherWhiteSpace,
  p15855962995015021271 as "quote\"s",
  p15855962995015021271 as quoteS,
  p10017854570830500464 as spellings,
  p7632184079149881469 as "support/triage",
  p7632184079149881469 as supportTriage,
  p538727738492703937 as "system-behind",
  p538727738492703937 as systemBehind,
  p15018119205842989183 as then,
  p17973524016256965915 as types,
  p14696266063503500680 as 票据,
  p11156946720219740448 as "￿",
  p9912357392045153803 as "😀",
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p2861655333263159870 = /* @__PURE__ */ definePrompt("", "v1", "", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 0.", "", ""))
export const p13357987660656321088 = /* @__PURE__ */ definePrompt("3d-scene", "v1", "art", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 1.", "", ""))
export const p5288382249539864621 = /* @__PURE__ */ definePrompt("HTML to text", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 10.", "", ""))
export const p7757503974527847835 = /* @__PURE__ */ definePrompt("__proto__", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 4.", "", ""))
export const p11088769685414137507 = /* @__PURE__ */ definePrompt("a-b", "v1", "collisions", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 7.", "", ""))
export const p12754867019471826333 = /* @__PURE__ */ definePrompt("aB", "v1", "collisions", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 9.", "", ""))
export const p928526207410900561 = /* @__PURE__ */ definePrompt("a_b", "v1", "collisions", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 8.", "", ""))
export const p14567212029169725779 = /* @__PURE__ */ definePrompt("braces", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("{" + s("{{a}}", v["a"], v) + "} and " + s("{{ a }}", v["a"], v) + " }}", "", ""))
export const p15980016908210718570 = /* @__PURE__ */ definePrompt("class", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 3.", "", ""))
export const p8443476798060194913 = /* @__PURE__ */ definePrompt("code", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("`${process.exit(1)}` \\ \\u0041 \" ' \u003c/script>\u003c!-- */ /* // \r\n lone \r CR, \u2028 \u2029 \u0085 \u0000 \u001b[31m \u202e \u200b \ufeff \u00ad \udb40\udc41 $& $1\n::error::x", "" + s("{{ a }}", v["a"], v) + "`${process.exit(1)}` \\ \\u0041 \" ' \u003c/script>\u003c!-- */ /* // \r\n lone \r CR, \u2028 \u2029 \u0085 \u0000 \u001b[31m \u202e \u200b \ufeff \u00ad \udb40\udc41 $& $1\n::error::x", "\n\n"))
export const p14448139695114857766 = /* @__PURE__ */ definePrompt("comments", "v*/1", "*/ @see", "`model`", 0.2, "live", (v, s) => compose("*/ export const hacked = 1 /*\n@deprecated {@link https://x} `code` ```\n * @param x\n\u003cb>bold\u003c/b>", "", ""))
export const p11637396891720793559 = /* @__PURE__ */ definePrompt("constructor", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 5.", "", ""))
export const p6843704888860461999 = /* @__PURE__ */ definePrompt("default", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 2.", "", ""))
export const p7574679705942768825 = /* @__PURE__ */ definePrompt("first-a-variable", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("" + s("{{first}}", v["first"], v) + " then text", "" + s("{{second}}", v["second"], v), "\n\n"))
export const p11677480662457315518 = /* @__PURE__ */ definePrompt("flat-names", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("" + s("{{ user.name }}", v["user.name"], v) + " " + s("{{user-id}}", v["user-id"], v) + " " + s("{{_}}", v["_"], v) + " " + s("{{größe}}", v["größe"], v) + " " + s("{{票据}}", v["票据"], v) + " " + s("{{constructor}}", v["constructor"], v) + " " + s("{{__proto__}}", v["__proto__"], v), "", ""))
export const p1715619018287412929 = /* @__PURE__ */ definePrompt("größe-ändern", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 11.", "", ""))
export const p2693379050210087094 = /* @__PURE__ */ definePrompt("it's", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 16.", "", ""))
export const p42879775437901858 = /* @__PURE__ */ definePrompt("no-tokens", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("{{}} {{ }} {{#if a}}x{{/if}} {{1}} {{ a b }} {{\na}} {{ unclosed", "", ""))
export const p14884273633428402752 = /* @__PURE__ */ definePrompt("nothing-served", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("Be kind.", "", "", ""))
export const p8531891510021142359 = /* @__PURE__ */ definePrompt("one-more-variable", "v23", "support", "gpt-5", 0.2, "test", (v, s) => compose("Be kind.", "" + s("{{ ticket }}", v["ticket"], v), "", "Be kind, " + s("{{ name }}", v["name"], v) + ".\n" + s("{{ticket}}", v["ticket"], v)))
export const p7961832484122467194 = /* @__PURE__ */ definePrompt("other-white-space", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("Be kind.\n", "" + s("{{ ticket }}", v["ticket"], v), " \t\n"))
export const p15855962995015021271 = /* @__PURE__ */ definePrompt("quote\"s", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 15.", "", ""))
export const p10017854570830500464 = /* @__PURE__ */ definePrompt("spellings", "v1", "support", "gpt-5", 0.2, "live", (v, s, t = [s("{{a}}", v["a"], v), s("{{ a }}", v["a"], v), s("{{\ta\t}}", v["a"], v), s("{{b}}", v["b"], v)]) => compose("" + t[0] + " " + t[1] + " " + t[2] + " " + t[0], "" + t[1] + t[3], "\n\n"))
export const p7632184079149881469 = /* @__PURE__ */ definePrompt("support/triage", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 17.", "", ""))
export const p538727738492703937 = /* @__PURE__ */ definePrompt("system-behind", "v1", "support", "gpt-5", 0.2, "live", (v, s, t = [s("{{ ticket }}", v["ticket"], v)]) => compose("Be kind.", "" + t[0], "", "" + t[0] + "\n\nBe kind."))
export const p15018119205842989183 = /* @__PURE__ */ definePrompt("then", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 6.", "", ""))
export const p17973524016256965915 = /* @__PURE__ */ definePrompt("types", "v\"1 | \\", "support", "gpt-5", 0.2, "live", (v, s) => compose("\"; declare const hacked: 1; \"", "" + s("{{a}}", v["a"], v), "\n\n"))
export const p14696266063503500680 = /* @__PURE__ */ definePrompt("票据", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 12.", "", ""))
export const p11156946720219740448 = /* @__PURE__ */ definePrompt("￿", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 14.", "", ""))
export const p9912357392045153803 = /* @__PURE__ */ definePrompt("😀", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 13.", "", ""))

// virtual:prompts, where names must be identifiers
import { p2861655333263159870 } from "virtual:prompts/definitions"
import { p13357987660656321088 } from "virtual:prompts/definitions"
import { p5288382249539864621 } from "virtual:prompts/definitions"
import { p7757503974527847835 } from "virtual:prompts/definitions"
import { p11088769685414137507 } from "virtual:prompts/definitions"
import { p12754867019471826333 } from "virtual:prompts/definitions"
import { p928526207410900561 } from "virtual:prompts/definitions"
import { p14567212029169725779 } from "virtual:prompts/definitions"
import { p15980016908210718570 } from "virtual:prompts/definitions"
import { p8443476798060194913 } from "virtual:prompts/definitions"
import { p14448139695114857766 } from "virtual:prompts/definitions"
import { p11637396891720793559 } from "virtual:prompts/definitions"
import { p6843704888860461999 } from "virtual:prompts/definitions"
import { p7574679705942768825 } from "virtual:prompts/definitions"
import { p11677480662457315518 } from "virtual:prompts/definitions"
import { p1715619018287412929 } from "virtual:prompts/definitions"
import { p2693379050210087094 } from "virtual:prompts/definitions"
import { p42879775437901858 } from "virtual:prompts/definitions"
import { p14884273633428402752 } from "virtual:prompts/definitions"
import { p8531891510021142359 } from "virtual:prompts/definitions"
import { p7961832484122467194 } from "virtual:prompts/definitions"
import { p15855962995015021271 } from "virtual:prompts/definitions"
import { p10017854570830500464 } from "virtual:prompts/definitions"
import { p7632184079149881469 } from "virtual:prompts/definitions"
import { p538727738492703937 } from "virtual:prompts/definitions"
import { p15018119205842989183 } from "virtual:prompts/definitions"
import { p17973524016256965915 } from "virtual:prompts/definitions"
import { p14696266063503500680 } from "virtual:prompts/definitions"
import { p11156946720219740448 } from "virtual:prompts/definitions"
import { p9912357392045153803 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  [""]: p2861655333263159870,
  ["3d-scene"]: p13357987660656321088,
  ["HTML to text"]: p5288382249539864621,
  ["htmlToText"]: p5288382249539864621,
  ["__proto__"]: p7757503974527847835,
  ["proto"]: p7757503974527847835,
  ["a-b"]: p11088769685414137507,
  ["aB"]: p12754867019471826333,
  ["a_b"]: p928526207410900561,
  ["braces"]: p14567212029169725779,
  ["class"]: p15980016908210718570,
  ["code"]: p8443476798060194913,
  ["comments"]: p14448139695114857766,
  ["constructor"]: p11637396891720793559,
  ["default"]: p6843704888860461999,
  ["first-a-variable"]: p7574679705942768825,
  ["firstAVariable"]: p7574679705942768825,
  ["flat-names"]: p11677480662457315518,
  ["flatNames"]: p11677480662457315518,
  ["größe-ändern"]: p1715619018287412929,
  ["größeÄndern"]: p1715619018287412929,
  ["it's"]: p2693379050210087094,
  ["itS"]: p2693379050210087094,
  ["no-tokens"]: p42879775437901858,
  ["noTokens"]: p42879775437901858,
  ["nothing-served"]: p14884273633428402752,
  ["nothingServed"]: p14884273633428402752,
  ["one-more-variable"]: p8531891510021142359,
  ["oneMoreVariable"]: p8531891510021142359,
  ["other-white-space"]: p7961832484122467194,
  ["otherWhiteSpace"]: p7961832484122467194,
  ["quote\"s"]: p15855962995015021271,
  ["quoteS"]: p15855962995015021271,
  ["spellings"]: p10017854570830500464,
  ["support/triage"]: p7632184079149881469,
  ["supportTriage"]: p7632184079149881469,
  ["system-behind"]: p538727738492703937,
  ["systemBehind"]: p538727738492703937,
  ["then"]: p15018119205842989183,
  ["types"]: p17973524016256965915,
  ["票据"]: p14696266063503500680,
  ["￿"]: p11156946720219740448,
  ["😀"]: p9912357392045153803,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
