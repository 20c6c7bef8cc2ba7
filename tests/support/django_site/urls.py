"""The admin, and a page that redirects to the parameter `next`."""

from django.contrib import admin
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path

from uriverse.integrations.django.redirects import next_url

from .models import Page, PageAdmin

SITE = admin.AdminSite()
SITE.register(Page, PageAdmin)


def login(request: HttpRequest) -> HttpResponse:
    return HttpResponseRedirect(next_url(request, default="/home/"))


class SafeLoginView(LoginView):
    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        return next_url(request or self.request, name=self.redirect_field_name, default="")


urlpatterns = [
    path("admin/", SITE.urls),
    path("accounts/login/", login),
    path("safe/login/", SafeLoginView.as_view(next_page="/home/")),
]
