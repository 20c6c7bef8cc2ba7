from __future__ import annotations

import json
from pathlib import Path

import pytest
from interpreters import run_python

import uriverse

SOURCES = Path(uriverse.__file__).parent.parent

#: Statements with which a thread may begin, before any module of uriverse is imported.
IMPORTS = (
    *("import uriverse", "from uriverse import URI", "from uriverse import Policy, Rule"),
    *("from uriverse import check, repair", "from uriverse import URN, MailtoURI"),
    *("from uriverse.templates import Router", "from uriverse.templates import Template"),
    *("from uriverse.schemes import SCHEMES", "from uriverse.hosts import scope"),
    *("from uriverse.percent import encode", "from uriverse.http import *"),
    "import uriverse.oauth",
    *("import uriverse.suffixes", "import uriverse.logs", "import uriverse.rdf"),
    *("import uriverse.diagnosis", "import uriverse.dial", "from uriverse.dial import *"),
    "from uriverse import Policy; Policy.public_web().allows('https://b\\xfccher.example/a')",
    "from uriverse import URI; URI('a:b?c').params, URI('a:b').segments",
    "from uriverse import IRI; IRI('http://\\xe9.example/').normalize(scheme=True)",
)

#: Expressions that use values of all threads for the first time, and functions that import modules.
EXPRESSIONS = (
    # components, parameters and segments
    "uri.host, uri.port, uri.path, uri.query, uri.origin, uri.effective_port, uri.hostname, uri.ip",
    "uri.params['b'], uri.params.getall('a'), 'c' in uri.params, uri.segments, uri.segments[1]",
    "[params.get('b') for _ in range(9)], params.getall('a'), len(params)",
    "list(params), dict(params), ('a', '3') in items, ('a', '4') in items, items & {('a', '1')}",
    "list(segments), len(segments), segments[-1], segments == ('', 'a', 'b.txt')",
    "uri.parent, uri.name, uri.suffix, uri.parents[0], copy.copy(uri) == uri, {uri: 1}",
    # edits, resolution and normal forms
    "uri.with_host('b.example'), uri.with_param('b', 2), uri / 'x y', uri.without_query()",
    "uri.resolve('../x;y?z'), uri.relative_to('https://example.com/b')",
    "uri.normalize(), uri.normalize(scheme=True), uri.comparison_key('scheme')",
    "URI('mailto:A@EXAMPLE.ORG').normalize(scheme=True), URI('tel:+1-2').comparison_key()",
    "URI('http://A/').equivalent('HTTP://a:80', level='scheme'), URI('x:a').normalize(scheme=True)",
    "pickle.loads(pickle.dumps(uri)), pickle.loads(pickle.dumps(params)), pickle.dumps(policy)",
    "iri.to_uri(), iri.to_uri(host='idna'), iri.display(), iri.normalize(scheme=True)",
    "uri.redacted(), uriverse.redact('see https://u:p@h/?token=1'), repr(uri), iri.bidi_findings",
    # types and errors
    "uriverse.parse('tel:+1'), uriverse.URN('urn:isbn:1').assigned_name, uriverse.Params('a')",
    "uriverse.MailtoURI('mailto:a@b.example').to, uriverse.DataURI('data:,a%20b').data",
    "error(URI, 'http://a b/'), error(URI, '//h'), error(uri.with_port, -1), error(URI, 1)",
    "error(getattr, uri, 'none'), error(getattr, uri, 'netloc'), error(getattr, uriverse, 'none')",
    "error(lambda: params['c']), error(Template, '{'), error(uriverse.percent.decode, '%')",
    "uriverse.SCHEMES['https'].default_port, uriverse.data_versions(), [*uriverse.SCHEMES][:3]",
    "sorted((name, str(getattr(uriverse, name))) for name in shuffled(uriverse.__all__))",
    # findings
    "uriverse.check('http://1.2.3/%zz'), uriverse.check('https://\\u0430pple.com/')",
    "uriverse.repair('http://h/a b'), error(uriverse.repair, 'htp:\\\\h')",
    "str(uriverse.explain('https://u@h:1/a?b')), [*uriverse.extract('see http://a.example/b, c')]",
    # policies
    "policy.allows(str(uri)), policy.decide('http://169.254.169.254/'), policy.review()",
    "policy.decide('https://b.example/%2e%2e;/'), error(policy.enforce, 'ftp://h/')",
    "policy.allows('https://b\\u00fccher.example/a'), sorted(policy.to_dict())",
    "Policy(allow=['https://*.example.org/a/**']).decide('https://x.example.org/a/b')",
    "uriverse.hosts.scope(IPv4Address('10.0.0.1')), uriverse.hosts.special_use('a.test')",
    # templates
    "router.match('/users/7'), router.match('/files/a/b.txt?x=1'), router.match('/no')",
    "router.build('user', id='a b'), router['file'].match('/files/a?y'), router.match(uri)",
    "template.expand(x=['a', 'b'], y='c'), template.match('/p/a,b?y=c'), template.variables",
    "template.ambiguities, template.is_reversible, str(template.partial(y='d'))",
    "Template('/{+p}').match_all('/a/b'), Router({'a': '/{x}'}).match('/b')",
)

#: A program in which 16 threads begin with other statements at the same time, and then compute all
#: expressions, each in an order of its own. It prints the errors of the imports, the expressions
#: with several results, and those that raise an error.
RACE = """
import copy, json, pickle, random, sys, threading, traceback
from ipaddress import IPv4Address

THREADS = 16

def race(function):
    barrier = threading.Barrier(THREADS)

    def begin(number):
        barrier.wait()
        function(number)

    threads = [threading.Thread(target=begin, args=(n,), daemon=True) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"

def load(number):
    try:
        exec(starts[number], {})
    except BaseException:
        errors.append(traceback.format_exc())

def compute(number):
    order = random.Random(number + seed).sample(expressions, len(expressions))
    # Three threads begin with the same expression.
    first = expressions[(number // 3 + seed) % len(expressions)]
    for expression in (first, *order):
        try:
            result = repr(eval(expression, values))
        except BaseException:
            result = traceback.format_exc()
        results[expression].append(result)

def error(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), str(error), getattr(error, "hint", None)

def shuffled(names):
    return random.sample(names, len(names))

seed, imports, expressions = json.loads(sys.argv[1])
sys.setswitchinterval(1e-5)  # more often than usual
errors = []
chance = random.Random(seed)
starts = chance.choices(chance.sample(imports, chance.choice((2, 4, 8))), k=THREADS)
race(load)

import uriverse
from uriverse import IRI, URI, Params, Policy
from uriverse.templates import Router, Template

values = dict(globals())
values["uri"] = uri = URI("https://example.com/a/b.txt?a=1&b=2&a=3#f")
values["iri"] = IRI("http://b\\u00fccher.example/\\u00e4?x=\\u00fc")
values["params"] = params = Params("a=1&b=2&a=3")
values["items"] = params.items()
values["segments"] = uri.segments
values["policy"] = Policy.public_web(deny=["https://b.example/x/**"])
values["router"] = Router({"user": "/users/{id}", "file": "/files{/p*}{?x}", "any": "{+x}.txt"})
values["template"] = Template("/p/{x}{?y}")
results = {expression: [] for expression in expressions}
race(compute)
differing = {key: list({*value}) for key, value in results.items() if len({*value}) > 1}
failed = {key: value[0] for key, value in results.items() if value[0].startswith("Traceback")}
print(json.dumps([errors, differing, failed]))
"""


def first_uses(seed: int) -> list[object]:
    """Return the errors of threads that use uriverse for the first time, and differing results."""
    work = json.dumps([seed, IMPORTS, EXPRESSIONS])
    done = run_python("-c", f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n{RACE}", work)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result: list[object] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))]
)
def test_threads_may_use_everything_first_at_the_same_time(seed: int) -> None:
    assert first_uses(seed) == [[], {}, {}]
