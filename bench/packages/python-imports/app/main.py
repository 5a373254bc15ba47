from requests import get, post, Session, Request, Response, HTTPError
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth
from requests.exceptions import ConnectionError, Timeout
from click import command, option, argument, group, echo, Context, Option, Path, BadParameter, progressbar, style, prompt
from click.testing import CliRunner
from flask import Flask, Blueprint, jsonify, render_template, redirect, url_for, abort, send_file, make_response
from flask.views import MethodView
from flask.cli import FlaskGroup
from httpx import AsyncClient, Client, Timeout as HttpTimeout, HTTPStatusError, URL, Headers, BasicAuth, stream
from attr import define, field, evolve, asdict, Factory
from attrs import validators
from yaml import safe_load, safe_dump, YAMLError, SafeLoader, Dumper, load
from six import iteritems, ensure_text, add_metaclass, with_metaclass
from jinja2 import Environment, FileSystemLoader, Template, TemplateNotFound, select_autoescape, StrictUndefined
from pydantic import BaseModel, Field, ValidationError, TypeAdapter, ConfigDict, field_validator, model_validator


@command()
@option("--name")
def main(name):
    session = Session()
    echo(session.get(name).text)
