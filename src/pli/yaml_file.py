"""Reads YAML files into plain values, whose mappings know the lines of their keys."""

from typing import Any

import yaml

from pli.errors import BadScenario, Say
from pli.located import Located

_Reader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def parsed(text: str) -> Any:
    """The YAML file as plain values, its mappings knowing their lines."""
    try:
        for event in yaml.parse(text, Loader=_Reader):
            if isinstance(event, yaml.AliasEvent):  # a few lines of them can stand for billions
                mark = event.start_mark
                line = mark.line + 1 if mark else 1
                raise BadScenario("scenario_yaml", line=line, why=Say("wanted.no_alias"))
        node = yaml.compose(text, Loader=_Reader)
        return _value(node, yaml.SafeLoader("")) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or getattr(error, "reason", None) or "?"
        line = mark.line + 1 if mark else 1
        raise BadScenario("scenario_yaml", line=line, why=why) from None
    except RecursionError:
        raise BadScenario("scenario_yaml", line=1, why=Say("wanted.shallow")) from None


def _value(node: yaml.Node, loader: yaml.SafeLoader) -> Any:
    if isinstance(node, yaml.MappingNode):
        mapping = Located()
        for key_node, value_node in node.value:
            key, line = _value(key_node, loader), key_node.start_mark.line + 1
            if isinstance(key, (list, dict)):
                why = Say("wanted.key")
                raise BadScenario("scenario_value", line=line, key="?", why=why)
            if key in mapping:
                raise BadScenario("scenario_twice", line=line, key=key)
            mapping[key] = _value(value_node, loader)
            mapping.lines[key] = line
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, loader) for each in node.value]
    try:
        return loader.construct_object(node)
    except ValueError:  # a date or a number that is none
        why = Say("wanted.plain")
        line = node.start_mark.line + 1
        raise BadScenario("scenario_value", line=line, key=node.value[:20], why=why) from None
