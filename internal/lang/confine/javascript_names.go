package confine

import "sync"

// javascriptKeywords are those that a confined script may have. There is no class,
// this or await among them, by which values come from elsewhere.
var javascriptKeywords = sync.OnceValue(func() words {
	return wordsOf(`const let var function return if else for of in while do break continue switch case default new typeof instanceof void delete
		true false null try catch finally throw`)
})

// javascriptGlobals are the names that every script finds and that a confined one may
// use, with what it may use of each. Those marked call may be called or constructed,
// those marked value also passed on.
var javascriptGlobals = sync.OnceValue(func() map[string]words {
	return map[string]words{
		"console":            wordsOf("log error warn info debug table dir time timeEnd group groupEnd assert count"),
		"JSON":               wordsOf("parse stringify"),
		"Math":               wordsOf("abs acos asin atan atan2 cbrt ceil cos cosh E exp floor fround hypot LN10 LN2 log log10 log1p log2 LOG10E LOG2E max min PI pow random round sign sin sqrt SQRT2 tan tanh trunc"),
		"Object":             wordsOf("keys values entries fromEntries assign freeze is hasOwn groupBy"),
		"Array":              wordsOf("call from isArray of"),
		"String":             wordsOf("call value fromCharCode fromCodePoint raw"),
		"Number":             wordsOf("call value isInteger isFinite isNaN isSafeInteger parseFloat parseInt EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE"),
		"Boolean":            wordsOf("call value"),
		"BigInt":             wordsOf("call"),
		"Date":               wordsOf("call now parse UTC"),
		"RegExp":             wordsOf("call"),
		"Map":                wordsOf("call groupBy"),
		"Set":                wordsOf("call"),
		"Error":              wordsOf("call"),
		"TypeError":          wordsOf("call"),
		"RangeError":         wordsOf("call"),
		"SyntaxError":        wordsOf("call"),
		"URL":                wordsOf("call canParse"),
		"URLSearchParams":    wordsOf("call"),
		"Intl":               wordsOf("DateTimeFormat NumberFormat Collator PluralRules RelativeTimeFormat ListFormat Segmenter supportedValuesOf"),
		"Buffer":             wordsOf("from byteLength alloc concat"),
		"parseInt":           wordsOf("call value"),
		"parseFloat":         wordsOf("call value"),
		"isNaN":              wordsOf("call value"),
		"isFinite":           wordsOf("call value"),
		"encodeURIComponent": wordsOf("call value"),
		"decodeURIComponent": wordsOf("call value"),
		"encodeURI":          wordsOf("call value"),
		"decodeURI":          wordsOf("call value"),
		"structuredClone":    wordsOf("call"),
		"NaN":                wordsOf("value"),
		"Infinity":           wordsOf("value"),
		"undefined":          wordsOf("value"),
		"process":            wordsOf("argv version versions platform arch cwd exit exitCode memoryUsage hrtime uptime stdout stderr stdin"),
	}
})

// javascriptModules are the modules that a confined script may load, with what it may
// use of each.
var javascriptModules = sync.OnceValue(func() map[string]words {
	return map[string]words{
		"fs":   wordsOf("readFileSync writeFileSync appendFileSync mkdirSync unlinkSync existsSync readdirSync statSync lstatSync"),
		"path": wordsOf("join resolve basename dirname extname relative normalize isAbsolute sep parse format"),
	}
})

// javascriptFiles are the functions that open a file, with what they do to it.
var javascriptFiles = sync.OnceValue(func() map[string]Act {
	return map[string]Act{
		"fs.readFileSync": Reads, "fs.writeFileSync": Replaces, "fs.appendFileSync": Appends, "fs.mkdirSync": Creates, "fs.unlinkSync": Removes,
	}
})

// javascriptRefused are names of properties by which a value leads to what evaluates
// text or calls another function with values that are not looked at. All other
// properties of the values that a confined script can have are data, or compute.
var javascriptRefused = sync.OnceValue(func() words {
	return wordsOf("constructor prototype caller callee arguments call apply bind prepareStackTrace stackTraceLimit getThis getFunction")
})

// javascriptOthers are the names that every script finds, modules among them, and
// that a confined one may not bind either: in another scope they are the language's.
var javascriptOthers = sync.OnceValue(func() words { return wordsOf(javascriptOtherNames) })

const javascriptOtherNames = `
	AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean
	BroadcastChannel Buffer ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent
	DOMException DataView Date DecompressionStream Error EvalError Event EventTarget File FinalizationRegistry Float32Array
	Float64Array FormData Function Headers Infinity Int16Array Int32Array Int8Array Intl JSON Map Math MessageChannel MessageEvent
	MessagePort NaN Number Object Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver
	PerformanceObserverEntryList PerformanceResourceTiming Promise Proxy RangeError ReadableByteStreamController ReadableStream
	ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader ReferenceError
	Reflect RegExp Request Response Set SharedArrayBuffer String SubtleCrypto Symbol SyntaxError TextDecoder TextDecoderStream
	TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController TypeError URIError URL URLSearchParams Uint16Array
	Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WritableStream WritableStreamDefaultController
	WritableStreamDefaultWriter __dirname __filename assert async_hooks atob btoa buffer child_process clearImmediate clearInterval
	clearTimeout cluster console constants crypto decodeURI decodeURIComponent dgram diagnostics_channel dns domain encodeURI
	encodeURIComponent escape eval events exports fetch fs global globalThis http http2 https inspector isFinite isNaN module net os
	parseFloat parseInt path perf_hooks performance process punycode querystring queueMicrotask readline repl require setImmediate
	setInterval setTimeout stream string_decoder structuredClone sys timers tls trace_events tty undefined unescape url util v8 vm
	wasi worker_threads zlib
	Iterator Float16Array SuppressedError DisposableStack AsyncDisposableStack WebSocket EventSource CloseEvent Navigator navigator Storage localStorage
	sessionStorage CustomEvent Worker Bun Deno sqlite test sea require module exports __filename __dirname this super class extends import export async
	await yield with debugger arguments enum implements interface package private protected public static eval
`
