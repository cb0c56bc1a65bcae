// virtual:prompts
import { p2861655333263159870 } from "virtual:prompts/definitions"
import { p13357987660656321088 } from "virtual:prompts/definitions"
import { p5288382249539864621 } from "virtual:prompts/definitions"
import { p7757503974527847835 } from "virtual:prompts/definitions"
import { p11088769685414137507 } from "virtual:prompts/definitions"
import { p12754867019471826333 } from "virtual:prompts/definitions"
import { p928526207410900561 } from "virtual:prompts/definitions"
import { p15980016908210718570 } from "virtual:prompts/definitions"
import { p11637396891720793559 } from "virtual:prompts/definitions"
import { p6843704888860461999 } from "virtual:prompts/definitions"
import { p1715619018287412929 } from "virtual:prompts/definitions"
import { p2693379050210087094 } from "virtual:prompts/definitions"
import { p15855962995015021271 } from "virtual:prompts/definitions"
import { p7632184079149881469 } from "virtual:prompts/definitions"
import { p15018119205842989183 } from "virtual:prompts/definitions"
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
  ["class"]: p15980016908210718570,
  ["constructor"]: p11637396891720793559,
  ["default"]: p6843704888860461999,
  ["größe-ändern"]: p1715619018287412929,
  ["größeÄndern"]: p1715619018287412929,
  ["it's"]: p2693379050210087094,
  ["itS"]: p2693379050210087094,
  ["quote\"s"]: p15855962995015021271,
  ["quoteS"]: p15855962995015021271,
  ["support/triage"]: p7632184079149881469,
  ["supportTriage"]: p7632184079149881469,
  ["then"]: p15018119205842989183,
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
  p15980016908210718570 as "class",
  p11637396891720793559 as constructor,
  p6843704888860461999 as "default",
  p1715619018287412929 as "größe-ändern",
  p1715619018287412929 as größeÄndern,
  p2693379050210087094 as "it's",
  p2693379050210087094 as itS,
  p15855962995015021271 as "quote\"s",
  p15855962995015021271 as quoteS,
  p7632184079149881469 as "support/triage",
  p7632184079149881469 as supportTriage,
  p15018119205842989183 as then,
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
export const p15980016908210718570 = /* @__PURE__ */ definePrompt("class", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 3.", "", ""))
export const p11637396891720793559 = /* @__PURE__ */ definePrompt("constructor", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 5.", "", ""))
export const p6843704888860461999 = /* @__PURE__ */ definePrompt("default", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 2.", "", ""))
export const p1715619018287412929 = /* @__PURE__ */ definePrompt("größe-ändern", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 11.", "", ""))
export const p2693379050210087094 = /* @__PURE__ */ definePrompt("it's", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 16.", "", ""))
export const p15855962995015021271 = /* @__PURE__ */ definePrompt("quote\"s", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 15.", "", ""))
export const p7632184079149881469 = /* @__PURE__ */ definePrompt("support/triage", "v1", "text", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 17.", "", ""))
export const p15018119205842989183 = /* @__PURE__ */ definePrompt("then", "v1", "words", "gpt-5", 0.2, "live", (v, s) => compose("You are prompt 6.", "", ""))
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
import { p15980016908210718570 } from "virtual:prompts/definitions"
import { p11637396891720793559 } from "virtual:prompts/definitions"
import { p6843704888860461999 } from "virtual:prompts/definitions"
import { p1715619018287412929 } from "virtual:prompts/definitions"
import { p2693379050210087094 } from "virtual:prompts/definitions"
import { p15855962995015021271 } from "virtual:prompts/definitions"
import { p7632184079149881469 } from "virtual:prompts/definitions"
import { p15018119205842989183 } from "virtual:prompts/definitions"
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
  ["class"]: p15980016908210718570,
  ["constructor"]: p11637396891720793559,
  ["default"]: p6843704888860461999,
  ["größe-ändern"]: p1715619018287412929,
  ["größeÄndern"]: p1715619018287412929,
  ["it's"]: p2693379050210087094,
  ["itS"]: p2693379050210087094,
  ["quote\"s"]: p15855962995015021271,
  ["quoteS"]: p15855962995015021271,
  ["support/triage"]: p7632184079149881469,
  ["supportTriage"]: p7632184079149881469,
  ["then"]: p15018119205842989183,
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
